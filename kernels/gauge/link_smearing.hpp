// Smearing of links by plain parameters: which kind, how often, and with which weights.
#pragma once

#include <optional>

#include "core/field/field.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/smearing_parameters.hpp"

namespace plaq {

struct SharedLattice;

/// Kind of smearing: APE, stout, HYP, the Wilson flow, or none.
enum class LinkSmearingKind { none, ape, stout, hyp, flow };

/// Smearing of links. Each kind has parameters of its own.
struct LinkSmearing {
  LinkSmearingKind type = LinkSmearingKind::none;    ///< kind of smearing
  int steps = 1;                                     ///< times that it is applied
  double alpha = 0.5;                                ///< APE: share of the staples
  double rho = 0.1;                                  ///< stout: weight of the staples
  double alpha1 = 0.75, alpha2 = 0.6, alpha3 = 0.3;  ///< HYP: shares of the staples
  double flow_step = 0.02;                           ///< flow: step of the flow time, in units of a^2
  bool spatial = false;                              ///< links in space alone, with staples in space alone
  bool allow_unstable = false;                       ///< steps may amplify the highest momenta

  bool smears() const { return type != LinkSmearingKind::none && steps > 0; }  ///< true if links change
  ApeSmearing ape() const { return {alpha, spatial}; }                         ///< parameters of APE smearing
  StoutSmearing stout() const { return {rho, spatial}; }                 ///< parameters of stout smearing
  HypSmearing hyp() const { return {alpha1, alpha2, alpha3, spatial}; }  ///< parameters of HYP smearing
};

/// The parameter that smearing cannot have, or that amplifies the highest momenta and is not allowed to.
std::optional<ParameterFault> validate(const LinkSmearing& smearing);

/// Smears links in place. They are without halo, or as links_with_halo() makes them (link_copies.hpp), with a
/// filled halo before and after. Collective; the same bits on any process grid. Throws Error(usage) if
/// validate() finds a fault.
void smear_links(const SharedLattice& lattice, Field& gauge, const LinkSmearing& smearing);

}  // namespace plaq

// Actions of quarks: which Dirac matrix M a solver inverts.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace plaq {

/// An action with its parameters, before there is a gauge field. Made by the functions below.
class Action;
/// An action that may be shared.
using ActionPtr = std::shared_ptr<const Action>;

/// Sign of quarks around the lattice in x, y, z, t. 0 in t, of Wilson and clover quarks, is Dirichlet: M has
/// no hops across the edge of the lattice.
using BoundarySigns = std::array<int, 4>;
/// Quarks that are antiperiodic in time and periodic in space.
inline constexpr BoundarySigns antiperiodic_in_time{1, 1, 1, -1};

/// Wilson quarks, Clark et al. 2010, eq. (1): M = m + 1 + 3 nu/xi - (1/2) [hop_t + (nu/xi) hop_s], m = 1/(2
/// kappa) - 4; with a twisted mass M + i mu gamma5.
struct WilsonSettings {
  std::optional<double> mass = {}, kappa = {};    ///< one of them; the mass in lattice units
  BoundarySigns boundary = antiperiodic_in_time;  ///< signs around the lattice
  double xi = 1, nu = 1;    ///< bare anisotropy a_s/a_t, and coefficient of the hops in space
  double twisted_mass = 0;  ///< mu in lattice units; the other flavour of the doublet has -mu
};
/// Wilson quarks with a clover term, M - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu. c_sw is for xi = 1;
/// in its place c_r is for planes in space, whose coefficient is c_r/xi, and c_t for planes with time.
struct CloverSettings {
  std::optional<double> mass = {}, kappa = {};          ///< one of them; the mass in lattice units
  std::optional<double> c_sw = {}, c_r = {}, c_t = {};  ///< coefficients: c_sw, or c_r and c_t
  BoundarySigns boundary = antiperiodic_in_time;        ///< signs around the lattice
  double xi = 1, nu = 1;                                ///< as for Wilson quarks
  bool exponential = false;  ///< d exp(A/d) in place of d + A: d = m + 1 + 3 nu/xi, A the clover term
  double twisted_mass = 0;   ///< as for Wilson quarks
};
/// Staggered quarks, M = mass + D/2 (MILC's mass), D = sum_mu eta_mu (U_mu hop - h.c.).
struct StaggeredSettings {
  double mass = 0;                                ///< in lattice units
  BoundarySigns boundary = antiperiodic_in_time;  ///< signs around the lattice
};
/// Staggered quarks on asqtad links made of thin ones, with the tadpole factor u0.
struct AsqtadSettings {
  double mass = 0;                                ///< in lattice units
  double u0 = 1;                                  ///< tadpole factor, above 0
  BoundarySigns boundary = antiperiodic_in_time;  ///< signs around the lattice
};
/// HISQ quarks on links made of thin ones. The Naik term has the coefficient -(1 + epsilon)/24.
struct HisqSettings {
  double mass = 0;                                ///< in lattice units
  double epsilon = 0;                             ///< correction of the Naik term of heavy quarks
  BoundarySigns boundary = antiperiodic_in_time;  ///< signs around the lattice
};
/// Kinds of domain-wall quarks by their weights omega_s and sigma_s of each slice: shamir 1, 0; borici 1, 1;
/// moebius b5, c5; optimal both Zolotarev's; general those of DomainWallSettings.
enum class DomainWall { shamir, borici, moebius, optimal, general };
/// Domain-wall quarks, Chiu et al. 2010.
struct DomainWallSettings {
  DomainWall variant = DomainWall::shamir;     ///< kind
  int n_s = 8;                                 ///< extent Ls of the fifth dimension
  double m0 = 1.8;                             ///< height of the wall, 0 < m0 < 2
  double mass = 0;                             ///< coefficient of the boundary term in the fifth dimension
  double b5 = 1, c5 = 0;                       ///< moebius: weights of each slice
  std::vector<double> omega = {}, sigma = {};  ///< general: one number a slice
  /// optimal: bounds of |H_w|; none: they are measured on each gauge field.
  std::optional<std::array<double, 2>> bounds = std::nullopt;
  BoundarySigns boundary = antiperiodic_in_time;  ///< signs around the lattice
  double xi = 1, nu = 1;                          ///< anisotropy of the kernel D_w
};

/// Action of Wilson quarks. This and the functions below throw Error(usage) if parameters are missing,
/// contradict each other or are out of range.
ActionPtr wilson(const WilsonSettings& settings);
/// Action of clover quarks.
ActionPtr clover(const CloverSettings& settings);
/// Action of staggered quarks.
ActionPtr staggered(const StaggeredSettings& settings);
/// Action of asqtad quarks.
ActionPtr asqtad(const AsqtadSettings& settings);
/// Action of HISQ quarks.
ActionPtr hisq(const HisqSettings& settings);
/// Action of domain-wall quarks.
ActionPtr domain_wall(const DomainWallSettings& settings);

/// Spins of the quark fields of an action: 4, or 1 of staggered quarks.
int spins_of(const Action& action);
/// Columns of the propagators of an action: 12, or 3 of staggered quarks.
int columns_of(const Action& action);

}  // namespace plaq

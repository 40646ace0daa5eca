// The low-mode part of quark propagators, and mesons of it averaged over all sources.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "plaq/correlators.hpp"
#include "plaq/linear_operator.hpp"
#include "plaq/low_modes.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/source/source.hpp"

namespace plaq {

/// S_low(x, y) = sum_i phi_i(x) chi_i(y)^dagger, the part of M^-1 in low modes of its even-odd form, without
/// a term on the source's own site if that is odd. Low-mode averaging (DeGrand, Schaefer, Comput. Phys.
/// Commun. 159 (2004) 185; Giusti et al., JHEP 04 (2004) 013) takes its mesons from all sources, and the rest
/// from some of them:
///
///   C(t) = meson(...) + mean over sources of [C of the propagator - C of S_low from the same source]
///
/// which has no bias if the sources are at random sites. Copies are cheap and mean the same factors.
class LowModePropagators {
 public:
  /// Makes phi_i and chi_i, two spinors in double precision a mode, of modes of this operator, which may be
  /// approximate. Throws Error(usage) if the modes are of other links or another operator, and unless M is
  /// that of Wilson or clover quarks without a twist and with signs at all edges. Collective.
  LowModePropagators(const DiracOperator& m, const LowModes& modes);

  int count() const;  ///< number of modes
  /// S_low b for each column of b, in four dimensions and double precision. Throws Error(usage) for another
  /// field. Collective.
  SpinorField operator()(const SpinorField& b) const;
  /// S_low of a source. Collective.
  Propagator propagator(const SourcePtr& source) const;

  /// C(p, t) of a meson of S_low as meson() has it, averaged over all sites of the source. Time grows with
  /// the square of the number of modes. Throws Error(usage) for an unknown channel. Collective; the bits do
  /// not depend on the process grid.
  /// @param channel  a name of channel_names()
  /// @param momenta  integers n
  std::vector<Correlator> meson(std::string_view channel, const std::vector<Momentum>& momenta = {{}}) const;
  /// C(p, t) as above of the sum of spin structures.
  std::vector<Correlator> meson(const std::vector<SpinStructure>& spins,
                                const std::vector<Momentum>& momenta = {{}}) const;

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace plaq

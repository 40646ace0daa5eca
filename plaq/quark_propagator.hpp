// The quark propagator of Landau gauge in momentum space.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "observables/quark/quark_propagator_settings.hpp"
#include "plaq/actions.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// S(p) of a class of momenta that permutations of equal axes in space and reflections make of each other,
/// averaged over its `count` momenta. In lattice units. n is one of them: p_mu = 2 pi (n_mu + 1/2) / L_mu
/// where the quark is antiperiodic, else 2 pi n_mu / L_mu.
struct QuarkPropagatorMomentum {
  Momentum4 n{};                              ///< one momentum of the class
  std::array<double, 4> p{}, k{};             ///< momentum, and k: sin p, in space times nu/xi of the action
  double p_squared = 0, k_squared = 0;        ///< sums over directions
  std::int64_t count = 0;                     ///< momenta of the class
  bool in_cylinder = false, in_cone = false;  ///< the cuts let it through
  double tree_vector = 0, tree_scalar = 0;    ///< v and s of S(p) = -i k-slash v + s on unit links
  std::complex<double> scalar = 0;            ///< (1/12) tr S(p)
  std::array<std::complex<double>, 4> vector{};  ///< (1/12) tr gamma_mu S(p), turned to the momentum n
};

/// S(p) at all momenta of the settings.
struct QuarkPropagatorInMomentumSpace {
  std::vector<QuarkPropagatorMomentum> momenta;  ///< by orbit in space, and then by n_t
  double tree_mass = 0;                          ///< s/v on unit links at p = 0
  double theta = 0;                              ///< gauge precision of Landau gauge of the gauge field
};

/// S(p) = sum_x exp(-i p (x - x_source)) S(x, x_source) (Skullerud, Williams, Phys. Rev. D 63 (2001)
/// 054508) of a propagator of quarks with spin from a point source, of an action on a gauge field that is
/// fixed to Landau gauge. Bits do not depend on the process grid. Throws Error(usage) if the quark is of
/// another source, gauge field or boundary, has an action without a propagator on unit links, or if the
/// gauge field is not fixed.
/// @param action  action of the quark
/// @param gauge  the fixed gauge field
/// @param quark  the propagator in position space
/// @param settings  momenta and cuts
QuarkPropagatorInMomentumSpace quark_propagator(const ActionPtr& action, const GaugeField& gauge,
                                                const Propagator& quark,
                                                const QuarkPropagatorSettings& settings = {});

}  // namespace plaq

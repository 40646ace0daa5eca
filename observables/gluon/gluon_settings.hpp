// Parameters of gluon and ghost propagators.
#pragma once

#include <optional>

#include "gaugefix/run/gauge_condition.hpp"
#include "observables/gluon/momentum_cuts.hpp"

namespace plaq {

/// Settings of gluon propagators.
struct GluonSettings {
  /// Gauge condition. Landau gauge: D(p^2) of four-momenta; Coulomb gauge: equal-time propagators in space.
  Gauge gauge = Gauge::landau;
  /// Largest theta of a field that counts as fixed; in Coulomb gauge that of the worst time slice.
  double max_theta = 1e-10;
  int max_n = 4;                    ///< momenta 2 pi n / L with |n| up to this in each direction of space
  MomentumCuts cuts = {};           ///< largest n_t, and cuts that flag momenta
  std::optional<double> beta = {};  ///< 6/g0^2: the propagators are those of A; none: those of g0 A
};

/// Momenta at which there is a ghost propagator: those that survive both cuts (cone), the cylinder cut, or
/// all but 0.
enum class GhostMomenta { none, cone, cylinder, all };

/// Settings of ghost propagators.
struct GhostSettings {
  GhostMomenta momenta = GhostMomenta::none;  ///< momenta at which they are computed
  int count = 0;                              ///< the lowest so many of them; 0: all
  double tolerance = 1e-10;                   ///< largest ||b - M x|| / ||b|| of each solve
  int max_iterations = 10000;                 ///< largest number of iterations of each solve
};

}  // namespace plaq

// Parameters of gluon and ghost propagators.
#pragma once

#include <optional>

#include "gaugefix/run/gauge_condition.hpp"
#include "observables/gluon/momentum_cuts.hpp"

namespace plaq {

struct GluonSettings {
  Gauge gauge =
      Gauge::landau;  // Landau gauge: D(p^2) of four-momenta; Coulomb gauge: equal-time propagators in space
  double max_theta =
      1e-10;      // a field with a larger theta is not fixed; in Coulomb gauge that of the worst time slice
  int max_n = 4;  // momenta 2 pi n / L with |n| up to this in each direction of space
  MomentumCuts cuts = {};
  std::optional<double> beta = {};  // 6/g0^2: the propagators are those of A; none: those of g0 A
};

/// Momenta at which there is a ghost propagator: those that survive both cuts
/// (cone), the cylinder cut, or all but 0.
enum class GhostMomenta { none, cone, cylinder, all };

struct GhostSettings {
  GhostMomenta momenta = GhostMomenta::none;
  int count = 0;  // the lowest so many of them; 0: all
  double tolerance = 1e-10;
  int max_iterations = 10000;
};

}  // namespace plaq

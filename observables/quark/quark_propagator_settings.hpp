// The plain parameters of the quark propagator in momentum space (observables/quark/quark_propagator.hpp).
#pragma once

#include "observables/gluon/momentum_cuts.hpp"

namespace plaq {

/// Settings of the quark propagator in momentum space.
struct QuarkPropagatorSettings {
  /// Momenta have |n| up to max_n, and up to L/2, in each direction of space.
  int max_n = 4;
  MomentumCuts cuts = {};  ///< largest n_t, and cuts that flag momenta
  /// Gauge precision of Landau gauge (gaugefix/run/fixing_settings.hpp) above which a gauge field is refused.
  double max_theta = 1e-10;
};

}  // namespace plaq

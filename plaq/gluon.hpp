// Gluon and ghost propagators in momentum space.
#pragma once

#include <vector>

#include "observables/gluon/gluon_momenta.hpp"
#include "observables/gluon/gluon_propagator.hpp"
#include "observables/gluon/gluon_settings.hpp"
#include "plaq/gauge_field.hpp"

namespace plaq {

/// Gluon propagators and the momenta that they are of: entry i of each list is that of momenta[i].
struct GluonPropagators : GluonPropagator {
  std::vector<GluonMomenta::Row> momenta;  ///< classes of momenta
};
/// Ghost propagators and their momenta, by rising phat^2.
struct GhostPropagators {
  std::vector<GluonMomenta::Row> momenta;  ///< classes of momenta
  std::vector<GhostPoint> points;          ///< values, one for each of them
};

/// Propagators of the gluon field A_mu(x + mu/2) = (U - U^dagger)/(2i) without its trace: D(p^2) in Landau
/// gauge, in Coulomb gauge those of equal times (Leinweber et al., Phys. Rev. D 60 (1999) 094507; formulas
/// and units in observables/gluon/gluon_propagator.hpp). Each is an average over momenta that permutations of
/// equal axes in space and reflections make of each other. Sums over space are exact: the bits do not depend
/// on the process grid. Throws Error(usage) if the settings are impossible or theta of the field is above
/// settings.max_theta. Collective.
GluonPropagators gluon_propagator(const GaugeField& gauge, const GluonSettings& settings = {});

/// Ghost propagators G(p) of Landau gauge, in a^2, by eight solves with the Faddeev-Popov operator a momentum
/// (observables/gluon/ghost_propagator.hpp): at those momenta of `settings` that `ghosts` names, 0 left out.
/// Throws Error(usage) as above, and Error(not_converged) if a solve misses its tolerance. Collective.
GhostPropagators ghost_propagator(const GaugeField& gauge,
                                  const GhostSettings& ghosts = {.momenta = GhostMomenta::cone},
                                  const GluonSettings& settings = {});

}  // namespace plaq

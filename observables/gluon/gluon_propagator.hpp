// The gluon propagator in momentum space: Leinweber et al., Phys. Rev. D 60 (1999) 094507, in Coulomb gauge
// that of equal times.
#pragma once

#include <optional>

#include "comms/grid/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "observables/gluon/gluon_momenta.hpp"
#include "observables/gluon/propagator_values.hpp"

namespace plaq {

/// The links are in double precision, without halo, and fixed to the gauge of the settings that the momenta
/// were made of. Collective.
GluonPropagator gluon_propagator(const SharedLattice& lattice, const Field& links,
                                 const GluonMomenta& momenta, const std::optional<double>& beta = {});

}  // namespace plaq

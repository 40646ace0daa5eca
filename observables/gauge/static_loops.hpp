// Wilson loops W(r, t) for the static potential, with r along the axes of the lattice and off them.
#pragma once

#include <vector>

#include "comms/grid/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "observables/gauge/static_loop_settings.hpp"

namespace plaq {

/// Measures the loops of each direction on the links as they are, with their halo.
/// fault_of_loops() must find nothing. Collective.
std::vector<StaticLoops> static_loops(const SharedLattice& lattice, const Field& gauge,
                                      const StaticLoopSettings& settings);

}  // namespace plaq

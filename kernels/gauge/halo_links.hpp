// Copies of links with and without the halo that smearing, flow and clover leaves need.
#pragma once

#include "comms/grid/shared_lattice.hpp"
#include "core/field/field.hpp"

namespace plaq {

/// Links on the extended geometry of depth 1 with a filled halo; on the plain geometry if
/// no direction is split. Collective.
Field links_with_halo(const SharedLattice& lattice, const Field& links);
/// Links without halo, 18 reals in double precision, at the lattice's location.
Field links_without_halo(const SharedLattice& lattice, const Field& links);

}  // namespace plaq

// A SharedLattice for tests.
#pragma once

#include "comms/start/shared_lattice.hpp"
#include "comms/transport/transport_choice.hpp"

namespace plaq::test {

// Faces travel by the host. The grid must outlive the lattice.
inline SharedLattice lattice_on(const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
  return {{std::shared_ptr<const ProcessGrid>(), &grid},
          geometry,
          Queue(location),
          make_host_transport(grid, location)};
}

}  // namespace plaq::test

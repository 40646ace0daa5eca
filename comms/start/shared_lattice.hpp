// A lattice that ranks share.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

/// The ranks that share a lattice, its sites, the queue of its kernels, and the transport of faces between
/// ranks: all its fields have these in common. Copies share them.
struct SharedLattice {
  std::shared_ptr<const ProcessGrid> grid;
  GeometryPtr geometry;  // without halo
  Queue queue;
  std::shared_ptr<Transport> transport;  // null where every point of a study chooses its own

  int rank() const { return grid->rank(); }
  Location location() const { return queue.location(); }
  /// Collective: what was computed so far may be kept. Throws Error(comms) on every rank if a face came
  /// damaged. Transports that do not check faces find nothing.
  void expect_intact_faces() const {
    if (transport) transport->expect_intact(queue);
  }
};

}  // namespace plaq

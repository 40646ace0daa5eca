// A grid of this process alone, for targets that read whole files. MPI never starts.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/system/log.hpp"

namespace plaq::fuzz {

inline const ProcessGrid& one_rank() {
  static const ProcessGrid grid = [] {
    log::set_level(log::Level::silent);
    return ProcessGrid(Communicator::alone(), {1, 1, 1, 1});
  }();
  return grid;
}

// The lattice of the file where a field can live on it; small, since the file holds its links.
inline Extents lattice_or(const Extents& found, const Extents& otherwise) {
  for (const int extent : found)
    if (extent < 2 || extent % 2 != 0) return otherwise;
  return found;
}

}  // namespace plaq::fuzz

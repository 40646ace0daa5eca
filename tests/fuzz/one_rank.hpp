// A grid of one rank, for targets that read whole files. MPI starts with the first input.
#pragma once

#include <mpi.h>

#include "comms/grid/process_grid.hpp"
#include "core/system/log.hpp"

namespace plaq::fuzz {

struct Mpi {
  Mpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    log::set_level(log::Level::silent);
  }
  ~Mpi() { MPI_Finalize(); }
};

inline const ProcessGrid& one_rank() {
  static const Mpi mpi;
  static const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, 1});
  return grid;
}

// The lattice of the file where a field can live on it; small, since the file holds its links.
inline Extents lattice_or(const Extents& found, const Extents& otherwise) {
  for (const int extent : found)
    if (extent < 2 || extent % 2 != 0) return otherwise;
  return found;
}

}  // namespace plaq::fuzz

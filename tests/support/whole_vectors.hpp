// Vectors of the whole lattice, on every rank.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

// Collective. What to_vectors() found, which is 0 at sites of other ranks, of all.
inline Vectors on_all_ranks(Vectors found, const ProcessGrid& grid) {
  for (Vector& v : found)
    MPI_Allreduce(MPI_IN_PLACE, v.data(), static_cast<int>(2 * v.size()), MPI_DOUBLE, MPI_SUM,
                  grid.comm().mpi());
  return found;
}

}  // namespace plaq::test

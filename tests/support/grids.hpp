// Every process grid to try for the number of ranks that a test runs on.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <vector>

#include "comms/process_grid.hpp"
#include "tests/support/locations.hpp"

namespace plaq::test {

inline bool splits_over_the_ranks(const Extents& extents) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return !allowed_grids(size, extents).empty();
}

// Calls visit(grid, geometry, location) for all allowed grids, as they are, with every direction forced to
// exchange (with itself, where it is not split) and ranks numbered t fastest, and on one rank also with each
// direction alone.
template <class Visit>
void for_all_geometries(const Extents& extents, Visit&& visit) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<std::uint32_t> forces{0, 15};
  if (size == 1) forces = {0, 1, 2, 4, 8, 15};
  for (const auto& ranks : allowed_grids(size, extents))
    for (const auto forced : forces) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks, {1, 1, 1, forced == 0 ? 1 : ranks[3]});
      const auto geometry = grid.geometry(extents, forced);
      for (const Location location : locations()) {
        SCOPED_TRACE(to_string(extents) + " on " + to_string(ranks) + " forced " + std::to_string(forced) +
                     " " + std::string(name_of(location)));
        visit(grid, geometry, location);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

}  // namespace plaq::test

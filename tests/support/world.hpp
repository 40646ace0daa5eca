// This test's place among all ranks that run it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/support/test.hpp"

namespace plaq::test {

inline int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}
inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
// Ranks on the node of this one, by its name. Collective.
inline int ranks_of_this_node() {
  using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  Name name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  std::vector<Name> names(static_cast<std::size_t>(world_size()));
  MPI_Allgather(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                MPI_COMM_WORLD);
  return static_cast<int>(std::count(names.begin(), names.end(), name));
}

}  // namespace plaq::test

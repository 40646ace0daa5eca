// This test's place among all ranks that run it.
#pragma once

#include <mpi.h>

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

}  // namespace plaq::test

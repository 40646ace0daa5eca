#include "jobs/common/collective_check.hpp"

#include <mpi.h>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"

namespace plaq::jobs {

void on_first_rank(const std::function<void()>& action) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  all_or_none(MPI_COMM_WORLD, [&] {
    if (rank == 0) action();
  });
}

Extents extents_from_first_rank(const std::function<Extents()>& action) {
  Extents extents{};
  on_first_rank([&] { extents = action(); });
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(extents.data(), 4, MPI_INT, 0, MPI_COMM_WORLD); });
  return extents;
}

}  // namespace plaq::jobs

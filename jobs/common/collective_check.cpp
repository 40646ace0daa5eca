#include "jobs/common/collective_check.hpp"

#include <mpi.h>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"
#include "comms/grid/world.hpp"

namespace plaq::jobs {

void on_first_rank(const std::function<void()>& action) {
  int rank = 0;
  MPI_Comm_rank(world(), &rank);
  all_or_none(world(), [&] {
    if (rank == 0) action();
  });
}

Extents extents_from_first_rank(const std::function<Extents()>& action) {
  Extents extents{};
  on_first_rank([&] { extents = action(); });
  wait_mpi("MPI_Bcast", [&] { return MPI_Bcast(extents.data(), 4, MPI_INT, 0, world()); });
  return extents;
}

}  // namespace plaq::jobs

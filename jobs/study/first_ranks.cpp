#include "jobs/study/first_ranks.hpp"

#include <exception>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"

namespace plaq::jobs {

void on_first_ranks(MPI_Comm all, int count, const std::function<void(MPI_Comm)>& action) {
  int rank = 0;
  MPI_Comm_rank(all, &rank);
  const bool works = rank < count;
  MPI_Comm first = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split", [&] { return MPI_Comm_split(all, works ? 0 : MPI_UNDEFINED, rank, &first); });
  Heartbeat heartbeat(all);
  std::exception_ptr failure;
  if (works) {
    try {
      action(first);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  heartbeat.meet(failure);
  free_comm(first);
  all_or_none(all, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace plaq::jobs

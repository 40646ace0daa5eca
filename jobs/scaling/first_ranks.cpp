#include "jobs/scaling/first_ranks.hpp"

#include <chrono>
#include <exception>
#include <thread>

#include "comms/collective.hpp"
#include "comms/mpi_check.hpp"

namespace plaq::jobs {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 10s;  // of a rank that failed, for others to fail too
constexpr auto pause = 2ms;

// Until all ranks are here.
void meet(MPI_Comm all, const std::exception_ptr& failure) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(all, &request), "MPI_Ibarrier");
  const auto end = std::chrono::steady_clock::now() + patience;
  for (int done = 0;;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) return;
    if (failure && std::chrono::steady_clock::now() > end) std::rethrow_exception(failure);
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

void on_first_ranks(MPI_Comm all, int count, const std::function<void(MPI_Comm)>& action) {
  int rank = 0;
  MPI_Comm_rank(all, &rank);
  const bool works = rank < count;
  MPI_Comm first = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split", [&] { return MPI_Comm_split(all, works ? 0 : MPI_UNDEFINED, rank, &first); });
  std::exception_ptr failure;
  if (works) {
    try {
      action(first);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  meet(all, failure);
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
  all_or_none(all, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace plaq::jobs

#include "jobs/common/meeting.hpp"

#include <chrono>
#include <thread>

#include "comms/mpi_check.hpp"

namespace plaq::jobs {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 10s;  // of a rank that failed, for others to fail too
constexpr auto pause = 2ms;

}  // namespace

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

}  // namespace plaq::jobs

#include "comms/communicator/mpi_session.hpp"

#include <cstdlib>
#include <utility>

#include "comms/grid/mpi_check.hpp"
#include "core/system/fork.hpp"

namespace plaq {

bool mpi_runs() {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0 && !is_lacking_fork();
}

MpiSession::MpiSession(bool start, int& argc, char**& argv) {
  if (!start) return;
  int provided = 0;
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  started_ = true;
  has_what_forks_lack();
}

void MpiSession::end() {
  if (std::exchange(started_, false) && !is_lacking_fork())
    wait_mpi("MPI_Finalize", [] { return MPI_Finalize(); });
}

void abort_all_ranks(int code) {
  if (mpi_runs()) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace plaq

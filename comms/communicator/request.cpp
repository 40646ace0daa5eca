#include "comms/communicator/request.hpp"

#include "comms/grid/mpi_check.hpp"

namespace plaq {

bool Request::done() {
  if (request_ == MPI_REQUEST_NULL) return true;
  int ended = 0;
  check_mpi(MPI_Test(&request_, &ended, MPI_STATUS_IGNORE), "MPI_Test");
  return ended != 0;
}

}  // namespace plaq

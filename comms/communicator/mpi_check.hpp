// Turns MPI's error codes into exceptions, and makes waits for other ranks known.
#pragma once

#include <mpi.h>

#include <string>

#include "comms/communicator/heartbeat.hpp"
#include "core/system/error.hpp"
#include "core/system/fork.hpp"
#include "core/system/waiting.hpp"

namespace plaq {
inline void check_mpi(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ErrorKind::comms,
              std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

// Every call in which this rank may wait for others goes through here
// (tests/comms/communicator/guarded_calls_test.cpp), so that a watchdog sees it. `describe()`:
// for what it waits, as of Waiting.
template <class Call, class Describe>
void wait_mpi(const char* what, Call&& call, Describe&& describe) {
  beat();
  const Waiting wait(describe);
  check_mpi(call(), what);
}
// Waits in a collective call of MPI.
template <class Call>
void wait_mpi(const char* what, Call&& call) {
  wait_mpi(what, call, [what] { return std::string("all ranks to call ") + what; });
}

// For destructors: MPI has ended, or it is that of the process that this one was forked from.
inline bool mpi_is_gone() noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized != 0 || is_lacking_fork();
}

// For destructors: nothing where it is null, or MPI is gone.
inline void free_comm(MPI_Comm& comm) noexcept {
  if (mpi_is_gone() || comm == MPI_COMM_NULL) return;
  const Waiting wait([] { return std::string("all ranks to give back a communicator"); });
  MPI_Comm_free(&comm);
}
}  // namespace plaq

// Turns MPI's error codes into exceptions, and makes waits for other ranks known.
#pragma once

#include <mpi.h>

#include <string>

#include "core/error.hpp"
#include "core/waiting.hpp"

namespace plaq {
inline void check_mpi(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ErrorKind::comms,
              std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

// A call in which ranks wait for each other, such as a collective one.
template <class Call>
void wait_mpi(const char* what, Call&& call) {
  const Waiting wait([what] { return std::string("all ranks to call ") + what; });
  check_mpi(call(), what);
}
}  // namespace plaq

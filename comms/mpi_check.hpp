// Turns MPI's error codes into exceptions.
#pragma once

#include <mpi.h>

#include <string>

#include "core/error.hpp"

namespace plaq {
inline void check_mpi(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ErrorKind::comms,
              std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}
}  // namespace plaq

// How some ranks' work ended, told to others that wait for it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "core/system/error.hpp"

namespace plaq {

struct Outcome {
  std::int64_t number = 0;  // of the work
  std::optional<Error> failure;

  // Its number, or its failure, thrown.
  int result() const;
};

// Rank 0 of a communicator tells all others, each of which awaits it. They leave their cores to those at work, and
// notice the outcome late by at most a sixteenth of the time that they waited.
void tell(const Outcome& outcome, MPI_Comm others);
Outcome await_outcome(MPI_Comm others);

}  // namespace plaq

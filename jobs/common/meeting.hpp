// Ranks that wait for others which are busy with something else.
#pragma once

#include <mpi.h>

#include <exception>

namespace plaq::jobs {

// Collective over `all`: until all ranks are here, without taking a core and without being watched
// (Watchdog). A rank that comes with a `failure` waits some seconds only, for others to fail too, and throws
// it then: the program ends (FailureReporter).
void meet(MPI_Comm all, const std::exception_ptr& failure);

}  // namespace plaq::jobs

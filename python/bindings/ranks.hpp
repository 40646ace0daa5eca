// The ranks that Python names.
#pragma once

#include <nanobind/nanobind.h>

#include "comms/communicator/communicator.hpp"

namespace plaq::python {

// Ranks of a communicator of mpi4py, which must outlive it; None: all of the launcher's ranks, or this
// process alone without a launcher. Starts MPI if there is a launcher and nobody has done so; MPI then ends
// with Python.
Communicator ranks_of(nanobind::handle communicator);

}  // namespace plaq::python

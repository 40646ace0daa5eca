// The ranks that Python names.
#pragma once

#include <nanobind/nanobind.h>

#include "comms/communicator/communicator.hpp"

namespace plaq::python {

// Of a communicator of mpi4py, which must outlive it; None: all of the launcher's ranks, or this process alone where there
// is no launcher. MPI is started where a launcher is there and nobody has done so, and then ended with Python.
Communicator ranks_of(nanobind::handle communicator);

}  // namespace plaq::python

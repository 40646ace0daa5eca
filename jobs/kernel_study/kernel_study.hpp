// Kernel studies with transports of the caller's choice.
#pragma once

#include "comms/start/lattice_start.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// Collective. `choose`: for the lattices of rates and accuracy; that of the solvers is the job's own.
int run_kernel_study(const JobFile& job, const TransportChooser& choose);

}  // namespace plaq::jobs

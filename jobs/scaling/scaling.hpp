// Scaling studies with transports of the caller's choice.
#pragma once

#include "comms/start/lattice_start.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// Collective. `choose`: for each point, on the grid of its ranks.
int run_scaling(const JobFile& job, const TransportChooser& choose);

}  // namespace plaq::jobs

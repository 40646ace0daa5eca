// plaq analyse: a Python package (jobs/analyse) makes numbers with errors of result files.
#pragma once

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// Serial, without MPI. Returns the helper's exit code. Throws usage errors when no Python with h5py and
// numpy is found.
int run_analyse(const AnalyseOptions& options);

}  // namespace plaq::jobs

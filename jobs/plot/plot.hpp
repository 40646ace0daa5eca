// plaq plot: a Python helper (jobs/plot) draws what a result file holds.
#pragma once

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// Serial, without MPI. Returns the helper's exit code. Throws usage errors when no Python with h5py and
// matplotlib is found.
int run_plot(const PlotOptions& options);

}  // namespace plaq::jobs

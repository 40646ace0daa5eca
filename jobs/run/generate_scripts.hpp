// plaq run JOB.toml --generate DIRECTORY, --submit: scripts for Slurm.
#pragma once

#include "jobs/common/commands.hpp"

namespace plaq::jobs {

// Writes the scripts of the job; `submit`: and calls sbatch. Returns the exit code. One process, without MPI:
// what that puts into the environment would go along to the batch job.
int generate_scripts(const RunOptions& options, bool submit);

// Overrides of the command line, with those of --profile.
std::vector<std::string> overrides_of(const RunOptions& options);

}  // namespace plaq::jobs

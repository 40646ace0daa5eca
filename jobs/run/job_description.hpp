// What every result file says about its job.
#pragma once

#include "core/lattice/geometry.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// Attributes of the root: plaq_version, job_type, job, extents (docs/result-files.md). On rank 0.
void describe_job(OutputFile& out, const JobFile& job, const Extents& extents);

}  // namespace plaq::jobs

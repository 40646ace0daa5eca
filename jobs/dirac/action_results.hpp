// Result files of jobs on an action that have nothing else to say of themselves.
#pragma once

#include "jobs/results/output_file.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

// The job's file: what every result file has (jobs/run/job_description.hpp), /action, and the results. On rank 0.
void write_action_results(const JobContext& context, const OutputKeys& output, const Results& results);

}  // namespace plaq::jobs

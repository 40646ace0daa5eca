// What jobs look at before they start, for themselves and for their plans. Serial.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct ChainPlan;  // jobs/generate/chain_plan.hpp

// generate: of [lattice], or of the file that it starts from, which another seed must have made.
Extents extents_of_start(const JobFile& job);

// The outlook that `look` gives; where it throws an Error(output_file), the run would stop with it.
Outlook outlook(const std::function<Outlook()>& look);
Outlook outlook_of_generate(const JobFile& job, const ChainPlan& plan);
// Jobs over an ensemble, by their task's axis and parts. `more`: names of files that the job writes beside
// its output.
Outlook outlook_of_ensemble(const JobFile& job, const JobFiles& files, const EnsembleInput& input,
                            const std::string& axis, int parts, const std::vector<std::string>& more);

}  // namespace plaq::jobs

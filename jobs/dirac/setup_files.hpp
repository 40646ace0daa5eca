// Files of multigrid setups that a job reads and writes.
#pragma once

#include <string>
#include <vector>

#include "jobs/common/path_registry.hpp"
#include "jobs/schema/job_file.hpp"
#include "settings/solver/setup_keys.hpp"

namespace plaq::jobs {

// DIRECTORY/FIELD.mg.lime for each gauge file, FIELD its name; none without a directory. Throws
// Error(job_file) where two fields would have one. Serial.
std::vector<std::string> setup_names(const Settings& job, const std::vector<std::string>& gauge_files);
void add_setups(PathRegistry& paths, const Settings& job, const std::vector<std::string>& gauge_files);
// Throws Error(output_file) where one cannot be written. Those that are there may be replaced. Serial.
void check_setup_outputs(const Settings& job, const std::vector<std::string>& gauge_files);

}  // namespace plaq::jobs

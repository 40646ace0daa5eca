// Keys of [multigrid] for the files of its setups, beside those of quarks/multigrid/multigrid_options.hpp.
#pragma once

#include <string>
#include <vector>

#include "jobs/common/path_registry.hpp"
#include "jobs/schema/job_file.hpp"
#include "quarks/multigrid/setup_paths.hpp"

namespace plaq::jobs {

struct SetupKeys {
  std::string directory;  // empty: none
  bool refresh = false;
  double checkpoint_minutes = 1;
};
enum class SetupsKept { where_asked, always };
std::vector<Key> setup_keys(SetupsKept kept);
Rule setup_rule();

// DIRECTORY/FIELD.mg.lime for each gauge file, FIELD its name; none without a directory. Throws Error(job_file) where two
// fields would have one. Serial.
std::vector<std::string> setup_names(const JobFile& job, const std::vector<std::string>& gauge_files);
SetupPaths setup_paths(const JobFile& job, const std::vector<std::string>& gauge_files,
                       const std::string& gauge_file);
void add_setups(PathRegistry& paths, const JobFile& job, const std::vector<std::string>& gauge_files);
// Throws Error(output_file) where one cannot be written. Those that are there may be replaced. Serial.
void check_setup_outputs(const JobFile& job, const std::vector<std::string>& gauge_files);

}  // namespace plaq::jobs

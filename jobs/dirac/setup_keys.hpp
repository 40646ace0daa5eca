// Where a job finds and keeps setups of multigrid: keys of [multigrid] beside those of jobs/dirac/multigrid_spec.hpp.
#pragma once

#include <string>
#include <vector>

#include "jobs/common/path_registry.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct SetupKeys {
  std::string directory;  // empty: none
  bool refresh = false;
  double checkpoint_minutes = 1;
};
enum class SetupsKept { where_asked, always };
std::vector<Key> setup_keys(SetupsKept kept);
Rule setup_rule();

// The files of setups on one gauge field.
struct SetupPaths {
  std::string own;                // where it is found and kept; empty: nowhere
  std::string before;             // of the gauge field before, of which it is refreshed; empty: of none
  bool refresh = false;           // whether one of other links is, too
  double checkpoint_minutes = 0;  // at least, from one file of a setup to the next
  std::string modes;              // of eigenvectors that deflate (jobs/dirac/low_modes.hpp); empty: none
};

// DIRECTORY/FIELD.mg.lime for each gauge file, FIELD its name; none without a directory. Throws Error(job_file) where two
// fields would have one. Serial.
std::vector<std::string> setup_names(const JobFile& job, const std::vector<std::string>& gauge_files);
SetupPaths setup_paths(const JobFile& job, const std::vector<std::string>& gauge_files,
                       const std::string& gauge_file);
void add_setups(PathRegistry& paths, const JobFile& job, const std::vector<std::string>& gauge_files);
// Throws Error(output_file) where one cannot be written. Those that are there may be replaced. Serial.
void check_setup_outputs(const JobFile& job, const std::vector<std::string>& gauge_files);

}  // namespace plaq::jobs

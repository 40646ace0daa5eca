#include "jobs/dirac/setup_files.hpp"

#include "io/bytes/temporary_file.hpp"
#include "settings/solver/field_files.hpp"

namespace plaq::jobs {
std::vector<std::string> setup_names(const Settings& job, const std::vector<std::string>& gauge_files) {
  return field_files(job, job.get<SetupKeys>().directory, gauge_files, setup_ending);
}

void add_setups(PathRegistry& paths, const Settings& job, const std::vector<std::string>& gauge_files) {
  for (const auto& name : setup_names(job, gauge_files))
    paths.writes(name, "a setup of multigrid ([multigrid] directory)");
}

void check_setup_outputs(const Settings& job, const std::vector<std::string>& gauge_files) {
  for (const auto& name : setup_names(job, gauge_files)) check_output(name, true);
}

}  // namespace plaq::jobs

#include "jobs/dirac/setup_keys.hpp"

#include <algorithm>

#include "io/bytes/temporary_file.hpp"
#include "jobs/dirac/field_files.hpp"
#include "jobs/schema/field.hpp"

namespace plaq::jobs {
namespace {

void check_refresh(Problems& problems, const SetupKeys& keys) {
  if (keys.refresh && keys.directory.empty())
    problems.missing("multigrid.directory", "where the setups are that are refreshed");
}

}  // namespace

std::vector<Key> setup_keys(SetupsKept kept) {
  Key directory = field(&SetupKeys::directory, "directory",
                        "Where setups are found, and kept, as FIELD.mg.lime: FIELD is the gauge "
                        "file's name. A setup of the same links and action is used as it is, also at another "
                        "mass.");
  if (kept == SetupsKept::always)
    directory.need("\"setups\"");
  else
    directory.such_as("\"setups\"").without("setups are not kept");
  return {
      directory,
      field(&SetupKeys::refresh, "refresh",
            "Where a field has no setup yet, begin with that of the field before it in [gauge] files; also "
            "begin with, and replace, one that was made of other links. Rounds are made where it reduces "
            "residuals less than there."),
      field(&SetupKeys::checkpoint_minutes, "checkpoint_minutes",
            "Minutes of a setup between its files, from which a run that was killed goes on; 0: after every "
            "round. A signal is obeyed within a round; what there was before it is then written.")
          .within(0, 1e6)};
}

Rule setup_rule() {
  return {{"multigrid.refresh", "multigrid.directory"},
          "Setups that are refreshed are in a directory.",
          check_refresh};
}

std::vector<std::string> setup_names(const JobFile& job, const std::vector<std::string>& gauge_files) {
  return field_files(job, job.get<SetupKeys>().directory, gauge_files, setup_ending);
}

SetupPaths setup_paths(const JobFile& job, const std::vector<std::string>& gauge_files,
                       const std::string& gauge_file) {
  const auto keys = job.get<SetupKeys>();
  if (keys.directory.empty()) return {};
  SetupPaths paths;
  paths.own = field_file(keys.directory, gauge_file, setup_ending);
  paths.refresh = keys.refresh;
  paths.checkpoint_minutes = keys.checkpoint_minutes;
  const auto at = std::find(gauge_files.begin(), gauge_files.end(), gauge_file);
  if (keys.refresh && at != gauge_files.begin() && at != gauge_files.end())
    paths.before = field_file(keys.directory, *std::prev(at), setup_ending);
  return paths;
}

void add_setups(PathRegistry& paths, const JobFile& job, const std::vector<std::string>& gauge_files) {
  for (const auto& name : setup_names(job, gauge_files))
    paths.writes(name, "a setup of multigrid ([multigrid] directory)");
}

void check_setup_outputs(const JobFile& job, const std::vector<std::string>& gauge_files) {
  for (const auto& name : setup_names(job, gauge_files)) check_output(name, true);
}

}  // namespace plaq::jobs

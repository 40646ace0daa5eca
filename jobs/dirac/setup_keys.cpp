#include "jobs/dirac/setup_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/schema/field.hpp"

namespace plaq::jobs {
namespace {

std::string setup_name(const std::string& directory, const std::string& gauge_file) {
  const std::string field = std::filesystem::path(gauge_file).filename().string();
  return (std::filesystem::path(directory) / (field + ".mg.lime")).string();
}

void check_refresh(Problems& problems, const SetupKeys& keys) {
  if (keys.refresh && keys.directory.empty())
    problems.missing("multigrid.directory", "where the setups are that are refreshed");
}

}  // namespace

std::vector<Key> setup_keys(SetupsKept kept) {
  Key directory =
      field(&SetupKeys::directory, "directory",
            "Where setups are found, and kept after each round, as FIELD.mg.lime: FIELD is the gauge "
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
            "residuals less than there.")};
}

Rule setup_rule() {
  return {{"multigrid.refresh", "multigrid.directory"},
          "Setups that are refreshed are in a directory.",
          check_refresh};
}

std::vector<std::string> setup_names(const JobFile& job, const std::vector<std::string>& gauge_files) {
  const std::string directory = job.get<SetupKeys>().directory;
  std::vector<std::string> names;
  if (directory.empty()) return names;
  std::map<std::string, std::string> fields;  // by the name of the setup
  for (const auto& field : gauge_files) {
    names.push_back(setup_name(directory, field));
    const auto [at, is_new] = fields.emplace(names.back(), field);
    if (!is_new)
      throw Error(ErrorKind::job_file, fmt::format("{}: 'files' in [gauge]: {} and {} would both write {}",
                                                   job.file(), at->second, field, at->first));
  }
  return names;
}

SetupPaths setup_paths(const JobFile& job, const std::vector<std::string>& gauge_files,
                       const std::string& gauge_file) {
  const auto keys = job.get<SetupKeys>();
  if (keys.directory.empty()) return {};
  SetupPaths paths{setup_name(keys.directory, gauge_file), "", keys.refresh};
  const auto at = std::find(gauge_files.begin(), gauge_files.end(), gauge_file);
  if (keys.refresh && at != gauge_files.begin() && at != gauge_files.end())
    paths.before = setup_name(keys.directory, *std::prev(at));
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

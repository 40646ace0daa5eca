#include "settings/solver/field_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/system/error.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

std::string field_file(const std::string& directory, const std::string& gauge_file, std::string_view ending) {
  const std::string field = std::filesystem::path(gauge_file).filename().string();
  return (std::filesystem::path(directory) / (field + std::string(ending))).string();
}

std::vector<std::string> field_files(const Settings& settings, const std::string& directory,
                                     const std::vector<std::string>& gauge_files, std::string_view ending) {
  std::vector<std::string> names;
  if (directory.empty()) return names;
  std::map<std::string, std::string> fields;  // by the name of the file
  for (const auto& field : gauge_files) {
    names.push_back(field_file(directory, field, ending));
    const auto [at, is_new] = fields.emplace(names.back(), field);
    if (!is_new)
      throw Error(ErrorKind::job_file, fmt::format("{}: 'files' in [gauge]: {} and {} would both have {}",
                                                   settings.origin(), at->second, field, at->first));
  }
  return names;
}

namespace {

void check_refresh(Problems& problems, const SetupKeys& keys) {
  if (keys.refresh && keys.directory.empty())
    problems.missing("multigrid.directory", "the directory of the setups that are refreshed");
}

}  // namespace

std::vector<Key> setup_keys(SetupsKept kept) {
  Key directory = field(&SetupKeys::directory, "directory",
                        "Directory of the setup files FIELD.mg.lime, where FIELD is the name of the gauge "
                        "file. A setup of the same links and action is reused, also at another mass.");
  if (kept == SetupsKept::always)
    directory.need("\"setups\"");
  else
    directory.such_as("\"setups\"").without("setups are not kept");
  return {directory,
          field(&SetupKeys::refresh, "refresh",
                "true: the setup of a field begins with the near-null vectors of the field before it in "
                "[gauge] files, or with a file made for other links, which is replaced. Setup iterations "
                "follow if it reduces residuals less than there; domain walls begin from noise then."),
          field(&SetupKeys::checkpoint_minutes, "checkpoint_minutes",
                "Minutes of a setup between two writes of its file. A run that was killed continues from "
                "this file. 0: a write after every setup iteration. A signal interrupts an iteration, and "
                "the state before the iteration is written.")
              .within(0, 1e6)};
}

Rule setup_rule() {
  return {{"multigrid.refresh", "multigrid.directory"}, "refresh needs a directory.", check_refresh};
}

SetupPaths setup_paths(const Settings& settings, const std::vector<std::string>& gauge_files,
                       const std::string& gauge_file) {
  const auto keys = settings.get<SetupKeys>();
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

}  // namespace plaq::settings

#include "settings/solver/field_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "core/system/error.hpp"

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

}  // namespace plaq::settings

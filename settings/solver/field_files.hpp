// Files that belong to gauge fields: DIRECTORY/FIELD.ENDING, FIELD being the gauge file's name. Serial.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "settings/schema/settings.hpp"

namespace plaq::settings {

inline constexpr std::string_view setup_ending = ".mg.lime", modes_ending = ".eig.lime";

std::string field_file(const std::string& directory, const std::string& gauge_file, std::string_view ending);
// One a field; none without a directory. Throws Error(job_file) where two fields would have one.
std::vector<std::string> field_files(const Settings& settings, const std::string& directory,
                                     const std::vector<std::string>& gauge_files, std::string_view ending);

}  // namespace plaq::settings

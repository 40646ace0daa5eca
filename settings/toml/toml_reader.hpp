// TOML text as a flat list of entries with their places. The one user of toml++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "settings/schema/raw_value.hpp"

namespace plaq::settings {

// Throws job_file errors with file, line and column when the text is not TOML.
std::vector<RawEntry> read_toml(std::string_view text, const std::string& file);

// "table.key=value": the value is read as TOML, and what is not TOML is taken as a string; may be empty.
// Throws a usage error when there is no name or no '='.
RawEntry read_override(std::string_view text);

}  // namespace plaq::settings

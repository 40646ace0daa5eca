// TOML text, read as a flat list of entries with their places, and written. The one user of toml++.
#pragma once

#include <cstddef>
#include <optional>
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

// Finds the first byte beyond ASCII that is in no string and no comment, where TOML has no place for
// it: toml++ 3.3 is undefined there. A byte order mark at the beginning is none.
std::optional<std::size_t> find_stray_byte(std::string_view text);

// The entries as TOML, tables in the order of their first entries.
std::string toml_text(const std::vector<RawEntry>& entries);

}  // namespace plaq::settings

// TOML as text: what is written, and what is looked at before a parser sees it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/schema/raw_value.hpp"

namespace plaq::settings {

// Finds the first byte beyond ASCII that is in no string and no comment, where TOML has no place for
// it: toml++ 3.3 is undefined there. A byte order mark at the beginning is none.
std::optional<std::size_t> find_stray_byte(std::string_view text);

// The entries as TOML, tables in the order of their first entries.
std::string toml_text(const std::vector<RawEntry>& entries);

}  // namespace plaq::settings

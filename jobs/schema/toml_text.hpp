// Before a TOML parser sees a text.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace plaq::jobs {

// Where the first byte beyond ASCII stands that is in no string and no comment, where TOML has no place for
// it: toml++ 3.3 is undefined there. A byte order mark at the beginning is none.
std::optional<std::size_t> find_stray_byte(std::string_view text);

}  // namespace plaq::jobs

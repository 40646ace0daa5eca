// Names of storages, as name_of(LinkStorage) writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// "half 12" and the like; none for any other text.
std::optional<LinkStorage> parse_storage(std::string_view text);
// All nine: 18, 12 and 8 reals in double, single and half precision.
std::vector<std::string> storage_names();

}  // namespace plaq::jobs

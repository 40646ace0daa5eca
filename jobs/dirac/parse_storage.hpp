// The storages there are, and their names as name_of(LinkStorage) writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// 18, 12 and 8 reals in double, single and half precision.
const std::vector<LinkStorage>& all_storages();
// "half 12" and the like; none for any other text.
std::optional<LinkStorage> parse_storage(std::string_view text);
// Of all nine.
std::vector<std::string> storage_names();

}  // namespace plaq::jobs

// The operator that the vectors of a file belong to, as texts: an entry for each of its parameters. Serial.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/gauge/gauge_file_info.hpp"

namespace plaq {

// Entry of an operator whose clover term has links of its own: their checksum.
inline constexpr const char* clover_links_key = "clover_links";

// Numbers come back from these texts to the bit.
HeaderEntry number_entry(const std::string& key, double value);
HeaderEntry numbers_entry(const std::string& key, const std::vector<double>& values);
HeaderEntry boundary_entry(const std::array<int, 4>& signs);

// Calls `visit` for each key whose values differ, those of `here` first, in their order; "none" stands for an
// entry that is missing.
void for_different_entries(const std::vector<HeaderEntry>& in_file, const std::vector<HeaderEntry>& here,
                           const std::function<void(const std::string& key, const std::string& in_file,
                                                    const std::string& here)>& visit);

}  // namespace plaq

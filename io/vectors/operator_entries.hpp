// The operator that the vectors of a file belong to, as texts: an entry for each of its parameters. Serial.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"

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

// Differences between modes of an operator in a file and those at hand, in one line; empty: nothing.
std::string differences_of_modes(const Extents& lattice_in_file, const std::vector<HeaderEntry>& in_file,
                                 const LinkChecksum& links_in_file, const Extents& lattice,
                                 const std::vector<HeaderEntry>& here, const LinkChecksum& links);

}  // namespace plaq

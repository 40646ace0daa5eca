// Four numbers as people write them: lattices and process grids.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace plaq {

// "1x1x2x4" (also with commas); empty when it is not four numbers from 1 to 4096.
std::optional<std::array<int, 4>> parse_four(const std::string& text);
// "32x32x32x64" (also with commas); empty when it is not four even extents of at least 2.
std::optional<std::array<int, 4>> parse_lattice(const std::string& text);

}  // namespace plaq

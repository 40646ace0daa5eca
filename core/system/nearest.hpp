// Typing mistakes in names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plaq {

// Number of letters to insert, delete, replace or swap with their neighbour to get from `a` to `b`
// (optimal string alignment; bytes; upper and lower case differ).
int edit_distance(std::string_view a, std::string_view b);

// The name with the smallest distance, the first of equals; empty when there are none.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

// "did you mean 'x'?" when the nearest name is close, else "there are 'x', 'y' and 'z'"; empty without names.
std::string nearest_hint(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace plaq

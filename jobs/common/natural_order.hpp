// File names in the order that people mean: numbers in them count as numbers,
// so field.9 comes before field.10.
#pragma once

#include <string_view>

namespace plaq::jobs {

// A strict order of all texts. Runs of digits are compared by value, whatever their length; all else, and
// numbers that are equal but for zeros in front, character by character.
bool naturally_before(std::string_view a, std::string_view b);

}  // namespace plaq::jobs

// Doubles that are not negative, as integers in the same order: maxima by integer comparison and atomicMax,
// with NaN above everything, so that it is noticed.
#pragma once

#include <cstdint>

#include "core/launch/target.hpp"

namespace plaq {

PLAQ_HD std::uint64_t to_magnitude(double value) {
  return __builtin_bit_cast(std::uint64_t, value) & 0x7fffffffffffffff;
}
PLAQ_HD double from_magnitude(std::uint64_t magnitude) { return __builtin_bit_cast(double, magnitude); }

}  // namespace plaq

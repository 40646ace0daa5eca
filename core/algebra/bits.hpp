// Numbers as patterns of bits: integers in the order of doubles, and a hash.
#pragma once

#include <cstdint>

#include "core/launch/target.hpp"

namespace plaq {

// Doubles that are not negative, as integers in the same order: maxima by integer comparison and atomicMax,
// with NaN above everything, so that it is noticed.
PLAQ_HD std::uint64_t to_magnitude(double value) {
  return __builtin_bit_cast(std::uint64_t, value) & 0x7fffffffffffffff;
}
PLAQ_HD double from_magnitude(std::uint64_t magnitude) { return __builtin_bit_cast(double, magnitude); }

// A hash of 64 bits, for checksums and for numbers that must differ: a step of splitmix64 (Steele, Lea,
// Flood, OOPSLA 2014). It is a bijection, so different numbers stay different.
PLAQ_HD std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace plaq

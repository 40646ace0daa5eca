// A hash of 64 bits, for checksums and for numbers that must differ.
#pragma once

#include <cstdint>

#include "core/launch/target.hpp"

namespace plaq {

// A step of splitmix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection, so that different numbers stay
// different.
PLAQ_HD std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace plaq

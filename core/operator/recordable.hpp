// States of exchanges that something recorded depends on (LinearOperator::recordable), several as one.
#pragma once

#include <cstdint>

namespace plaq {

// Another number for other states, but for a chance of 1 in 2^31. Negative where
// one of them may not be recorded.
constexpr int both_states(int a, int b) {
  if (a < 0 || b < 0) return -1;
  const std::uint64_t mixed =
      (static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(b)) *
      0xd6e8feb86659fd93u;
  return static_cast<int>(mixed >> 33);
}

}  // namespace plaq

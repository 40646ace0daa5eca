// Loops of a team over lines of numbers that are next to each other.
#pragma once

#include <type_traits>

#include "core/lattice/lattice_box.hpp"
#include "core/launch/team.hpp"

namespace plaq {

// f(line, i) for i below `length` of each line; the i of a line are next to each
// other on a device, a loop of a host.
template <class Target, class F>
PLAQ_HD void for_lines(Team<Target>& team, int lines, const Divisor& length, F&& f) {
  const int n = static_cast<int>(length.value);
  if constexpr (std::is_same_v<Target, Host>) {
    team.for_range(lines, [&](int line) {
      for (int i = 0; i < n; ++i) f(line, i);
    });
  } else {
    team.for_range(lines * n, [&](int k) {
      const int line = static_cast<int>(length.divide(static_cast<std::uint32_t>(k)));
      f(line, k - line * n);
    });
  }
}

}  // namespace plaq

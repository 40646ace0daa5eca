// Launches of teams that multiply exactly (core/field/exact_product.hpp): how many right-hand sides one takes.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "core/launch/launch_shape.hpp"
#include "core/launch/target.hpp"

namespace plaq {

// Of a host; a device multiplies by eights.
inline constexpr int exact_host_tile = 4;

// Of a device. Each warp has 16 rows of a team's matrix at a time; where there are few, several share them.
inline constexpr int most_exact_warps = 8;
inline int exact_warps(int rows) {
  const int tiles = (rows + 15) / 16;
  return tiles < most_exact_warps ? most_exact_warps / tiles * tiles : most_exact_warps;
}

// The default first: teams of so many warps, or half of them. `few`: the kernel has other ways for up to four right-hand sides,
// with the same bits.
inline std::vector<Launch> exact_candidates(Location location, int right_hand_sides, int all,
                                            bool few = false) {
  if (location == Location::host) return {{0, exact_host_tile, true, {}}};
  std::vector<Launch> candidates;
  const auto add = [&](int width) {
    for (const int warps : {all, all / 2})
      if (warps > 0) candidates.push_back({32 * warps, width, true, {}});
  };
  if (few && right_hand_sides <= 4) add(right_hand_sides > 2 ? 4 : right_hand_sides);
  if (right_hand_sides > 8) add(16);
  add(8);
  return candidates;
}

// f(std::integral_constant<int, tile>()), with Few also for tiles below eight.
template <class Target, bool Few = false, class F>
void with_exact_tile(const Launch& launch, F&& f) {
  if constexpr (std::is_same_v<Target, Host>) {
    f(std::integral_constant<int, exact_host_tile>());
  } else {
    if constexpr (Few) {
      if (launch.width == 1) return f(std::integral_constant<int, 1>());
      if (launch.width == 2) return f(std::integral_constant<int, 2>());
      if (launch.width == 4) return f(std::integral_constant<int, 4>());
    }
    if (launch.width == 16) return f(std::integral_constant<int, 16>());
    f(std::integral_constant<int, 8>());
  }
}

}  // namespace plaq

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

// The default first: teams of so many warps, or half of them.
inline std::vector<Launch> exact_candidates(Location location, int right_hand_sides, int all) {
  if (location == Location::host) return {{0, exact_host_tile, true, {}}};
  std::vector<Launch> candidates;
  for (const int width : {16, 8})
    for (const int warps : {all, all / 2})
      if ((width == 8 || right_hand_sides > 8) && warps > 0)
        candidates.push_back({32 * warps, width, true, {}});
  return candidates;
}

// f(std::integral_constant<int, tile>()).
template <class Target, class F>
void with_exact_tile(const Launch& launch, F&& f) {
  if constexpr (std::is_same_v<Target, Host>) {
    f(std::integral_constant<int, exact_host_tile>());
  } else {
    if (launch.width == 16) return f(std::integral_constant<int, 16>());
    f(std::integral_constant<int, 8>());
  }
}

}  // namespace plaq

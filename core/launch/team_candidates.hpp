// Launches of teams to try: how many right-hand sides and workers a team has.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include "core/launch/launch_shape.hpp"
#include "core/launch/target.hpp"
#include "core/launch/workers.hpp"

namespace plaq {

// Teams that multiply exactly (core/field/exact_product.hpp): right-hand sides that a host takes at once; a
// device takes fours.
inline constexpr int exact_host_tile = 4;

inline int workers_of(const Launch& launch) { return launch.block == 0 ? 1 : launch.block / 32; }

// The default first: teams of 4 workers, 8, or 2, but not of more than `most`, and of as many right-hand
// sides as there are, up to 16, or half of them, where their scratch memory leaves room for some more on a
// device; the smallest team is always there.
std::vector<Launch> exact_candidates(Location location, int right_hand_sides, int most,
                                     const std::function<std::size_t(const Launch&)>& scratch_bytes);

// f(std::integral_constant<int, tile>())
template <class Target, class F>
void with_exact_tile(const Launch& launch, F&& f) {
  if constexpr (std::is_same_v<Target, Host>) {
    f(std::integral_constant<int, exact_host_tile>());
  } else {
    if (launch.width == 4) return f(std::integral_constant<int, 4>());
    if (launch.width == 8) return f(std::integral_constant<int, 8>());
    if (launch.width == 12) return f(std::integral_constant<int, 12>());
    f(std::integral_constant<int, 16>());
  }
}

// Launches to try of teams that take several right-hand sides each. A launch's width: how many; held: a
// member adds up all parts of a sum that it can, else each has a member of its own.
//
// The default first. Of as many right-hand sides as there are, up to 4, then fewer, where a team's scratch
// memory leaves room for some more on a device; one and `held` is always there. `parts`: whether the sum has
// any. On a host all is held, the number decides, and scratch memory is not asked for.
std::vector<Launch> tile_candidates(Location location, int right_hand_sides, bool parts,
                                    const std::function<std::size_t(const Launch&)>& scratch_bytes);

}  // namespace plaq

// Launches to try of teams that take several right-hand sides each. A launch's width: how many; held: a
// member adds up all parts of a sum that it can, else each has a member of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/launch/launch_shape.hpp"

namespace plaq {

// The default first. Of as many right-hand sides as there are, up to 4, then fewer, where a team's scratch
// memory leaves room for some more on a device; one and `held` is always there. `parts`: whether the sum has
// any. On a host all is held, the number decides, and scratch memory is not asked for.
std::vector<Launch> tile_candidates(Location location, int right_hand_sides, bool parts,
                                    const std::function<std::size_t(const Launch&)>& scratch_bytes);

}  // namespace plaq

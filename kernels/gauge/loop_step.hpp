// Steps in space of which the paths of Wilson loops are multiples.
#pragma once

#include <array>
#include <vector>

namespace plaq {

/// A step in x, y, z.
using LoopStep = std::array<int, 3>;

/// Steps that turns and reflections make of a step, r and -r once: the first coordinate that is not 0 is
/// positive.
std::vector<LoopStep> loop_directions(const LoopStep& step);
/// The hops of one step in their order, 0..2 ahead in x, y, z and 3..5 back.
std::vector<int> loop_hops(const LoopStep& step);

}  // namespace plaq

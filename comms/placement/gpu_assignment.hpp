// Ranks to GPUs, with the least cost in all.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace plaq {

inline constexpr std::int64_t no_gpu = std::numeric_limits<std::int64_t>::max();

// cost[rank][gpu]: of this rank on this GPU, or no_gpu where it cannot be; each rank can be on one at least.
// Returns the GPU of each rank: no GPU has more ranks than another when some could go there, and among those
// assignments one of least cost in all; always the same one.
std::vector<int> assign_gpus(const std::vector<std::vector<std::int64_t>>& cost);

}  // namespace plaq

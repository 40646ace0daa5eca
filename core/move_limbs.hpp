// From a device to page-locked host memory in one launch, which a solver waits for: the copying engine takes
// longer, and longer still with a second call that clears what was copied.
#pragma once

#include <cstdint>

#include "core/queue.hpp"

namespace plaq {

// to[i] = from[i]; from[i] = 0. `from`: on the device of the queue, `to`: page-locked.
void move_limbs(std::int64_t* to, std::int64_t* from, int count, const Queue& queue);

}  // namespace plaq

// Times the candidates of a launch against each other.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "core/launch/launch_shape.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

struct LaunchTimes {
  std::size_t best = 0;  // the first candidate where no other is faster by more than 2%
  double best_seconds = 0;
  double first_seconds = 0;  // of the first candidate; 0 where that cannot run
};

// Runs every candidate several times: in two passes, the slow ones in the first alone, each time in bursts
// behind a run that is not counted. `changed` is memory at the queue's location that run() both reads and
// writes: it is copied before, put back before each candidate, and as it was afterwards, whatever is thrown.
// A candidate for which the device lacks registers or shared memory is left out; when none can run, the first
// one's Error is thrown. Nothing where there is no memory for the copies. Waits for the queue.
std::optional<LaunchTimes> time_launches(std::span<const Launch> candidates,
                                         const std::function<void(const Launch&)>& run, const Queue& queue,
                                         std::span<const std::span<std::byte>> changed);

}  // namespace plaq

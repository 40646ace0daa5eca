// Times of what is queued: on a device between CUDA events, of the slowest rank.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "core/launch/queue.hpp"
#include "core/system/dry_run.hpp"

namespace plaq::jobs {

struct Samples {
  double median = 0, least = 0, most = 0;  // microseconds of one application
  int count = 0;
};

// Collective over `ranks`. Seconds of what `work()` queues, the longest of these ranks, which begin together.
template <class Work>
double slowest_seconds(const Communicator& ranks, const Queue& queue, Work&& work) {
  if (runs_dry()) return work(), 0;
  ranks.barrier();
  Event begin(queue.location()), end(queue.location());
  begin.record(queue);
  work();
  end.record(queue);
  queue.synchronize();
  return ranks.max(1e-3 * begin.milliseconds_to(end));
}

inline Samples samples_of(std::vector<double> microseconds) {
  std::sort(microseconds.begin(), microseconds.end());
  return {microseconds[microseconds.size() / 2], microseconds.front(), microseconds.back(),
          static_cast<int>(microseconds.size())};
}

// Collective over `ranks`. Times `apply(queue)` in samples long enough for the clock, after warming up.
// `samples`: how many; 0: as many as a steady result needs.
template <class Apply>
Samples measure(const Communicator& ranks, const Queue& queue, int samples, Apply&& apply) {
  constexpr double sample_seconds = 0.02, seconds_in_all = 3;
  if (runs_dry()) {
    const PerformanceRegion section("application");
    return apply(queue), Samples{};
  }
  const auto time = [&](int repeats) {
    const auto work = [&] {
      for (int i = 0; i < repeats; ++i) apply(queue);
    };
    return slowest_seconds(ranks, queue, work) / repeats;
  };
  time(1);
  const double first = time(time(1) < sample_seconds ? 3 : 1);
  const int repeats = std::clamp(static_cast<int>(std::ceil(sample_seconds / first)), 1, 2000);
  const int count = samples > 0 ? samples : std::clamp(static_cast<int>(seconds_in_all / first), 5, 15);
  std::vector<double> microseconds;
  for (int i = 0; i < count; ++i) microseconds.push_back(1e6 * time(repeats));
  return samples_of(std::move(microseconds));
}

}  // namespace plaq::jobs

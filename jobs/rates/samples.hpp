// Times of what is queued: on a device between CUDA events, of the slowest rank.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "comms/mpi_check.hpp"
#include "core/queue.hpp"

namespace plaq::jobs {

struct Samples {
  double median = 0, least = 0, most = 0;  // microseconds of one application
  int count = 0;
};

// Collective. Seconds of what `work()` queues, the longest of all ranks, which begin together.
template <class Work>
double slowest_seconds(const Queue& queue, Work&& work) {
  wait_mpi("MPI_Barrier", [&] { return MPI_Barrier(MPI_COMM_WORLD); });
  Event begin(queue.location()), end(queue.location());
  begin.record(queue);
  work();
  end.record(queue);
  queue.synchronize();
  double seconds = 1e-3 * begin.milliseconds_to(end), slowest = 0;
  wait_mpi("MPI_Allreduce",
           [&] { return MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); });
  return slowest;
}

// Collective. Times `apply(queue)` in samples long enough for the clock, after warming up. `samples`: how
// many; 0: as many as a steady result needs.
template <class Apply>
Samples measure(const Queue& queue, int samples, Apply&& apply) {
  constexpr double sample_seconds = 0.02, seconds_in_all = 3;
  const auto time = [&](int repeats) {
    const auto work = [&] {
      for (int i = 0; i < repeats; ++i) apply(queue);
    };
    return slowest_seconds(queue, work) / repeats;
  };
  time(1);
  const double first = time(time(1) < sample_seconds ? 3 : 1);
  const int repeats = std::clamp(static_cast<int>(std::ceil(sample_seconds / first)), 1, 2000);
  const int count = samples > 0 ? samples : std::clamp(static_cast<int>(seconds_in_all / first), 5, 15);
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) seconds.push_back(time(repeats));
  std::sort(seconds.begin(), seconds.end());
  return {1e6 * seconds[seconds.size() / 2], 1e6 * seconds.front(), 1e6 * seconds.back(), count};
}

}  // namespace plaq::jobs

// Body of measure() of jobs/bench/bench.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "comms/mpi_check.hpp"
#include "core/queue.hpp"
#include "core/timer.hpp"

namespace plaq::jobs {

template <class Apply>
Samples measure(const BenchContext& context, const Queue& queue, Apply&& apply) {
  constexpr double sample_seconds = 0.02, seconds_in_all = 3;
  auto time = [&](int repeats) {
    check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    Event begin(queue.location()), end(queue.location());
    begin.record(queue);
    for (int i = 0; i < repeats; ++i) apply(queue);
    end.record(queue);
    queue.synchronize();
    double seconds = 1e-3 * begin.milliseconds_to(end), slowest = 0;
    check_mpi(MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
    return slowest / repeats;
  };
  time(1);
  const double first = time(time(1) < sample_seconds ? 3 : 1);
  const int repeats = std::clamp(static_cast<int>(std::ceil(sample_seconds / first)), 1, 2000);
  const int count = context.options.repeats > 0 ? context.options.repeats
                                                : std::clamp(static_cast<int>(seconds_in_all / first), 5, 15);
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) seconds.push_back(time(repeats));
  std::sort(seconds.begin(), seconds.end());
  return {1e6 * seconds[seconds.size() / 2], 1e6 * seconds.front(), 1e6 * seconds.back(), count};
}

}  // namespace plaq::jobs

// Exact sums that GPUs add up among themselves. No host takes part, and a CUDA graph may capture them.
#pragma once

#include "comms/communicator/communicator.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

class GpuSums {
 public:
  virtual ~GpuSums() = default;
  // Collective, queued. The first `count` sums of a buffer on the GPU, of all ranks, rounded; 0 afterwards.
  virtual void total(SumBuffer& sums, int count, double* totals, const Queue& queue) = 0;
};

// Collective. Whether numbers of many sizes add up, several times in a row, on all ranks.
bool sums_are_right(GpuSums& sums, const Communicator& comm, const Queue& queue);

}  // namespace plaq

// Memory through which the GPUs of a node add up exact sums among themselves (comms/sums/total_sums.hpp).
#pragma once

#include <memory>

#include "comms/communicator/communicator.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

class PeerSums {
 public:
  // Collective over ranks of one node, each with a GPU in use. Null on all of them where GPUs do not reach
  // each other's memory, where two ranks share one, where ranks are more than 16, or where a trial went
  // wrong.
  static std::unique_ptr<PeerSums> make(const Communicator& comm, const Queue& queue);
  virtual ~PeerSums() = default;
  // Memory of each of so many GPUs, kept to the end; 0 where they are too few or too many for it.
  static constexpr int most_ranks = 16;
  static std::size_t bytes(int ranks);

  // Collective, queued. The first `count` sums of a buffer on the GPU, of all ranks, rounded; 0 afterwards.
  virtual void total(SumBuffer& sums, int count, double* totals, const Queue& queue) = 0;
};

}  // namespace plaq

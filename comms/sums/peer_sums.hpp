// Memory through which the GPUs of a node add up exact sums among themselves (comms/sums/total_sums.hpp).
#pragma once

#include <cstddef>
#include <memory>

#include "comms/communicator/communicator.hpp"
#include "comms/sums/gpu_sums.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

inline constexpr int most_peers = 16;

// Collective over ranks of one node, each with a GPU in use. Null on all of them where GPUs do not reach each
// other's memory, where two ranks share one, where ranks are more than most_peers, or where a trial went
// wrong.
std::unique_ptr<GpuSums> make_peer_sums(const Communicator& comm, const Queue& queue);
// Memory of each of so many GPUs, kept to the end; 0 where they are too few or too many for it.
std::size_t peer_sums_bytes(int ranks);

}  // namespace plaq

// A GPU adds up the exact sums of all GPUs of a node and rounds them: one launch, no host. For sources with
// CUDA.
#pragma once

#include <cstdint>

#include "comms/sums/peer_sums.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_sheet.hpp"

namespace plaq {

// Sheets by pairs of ranks, two of each, taken by turns: who has filled the third has waited for everybody's
// second, and so everybody has read the first.
struct SumPeers {
  static constexpr int most = most_peers;
  int ranks = 1, rank = 0;
  SumSheet* there[most] = {};       // in the memory of that rank, filled by this one
  SumSheet* here[most] = {};        // in this rank's memory, filled by that one
  std::uint64_t* number = nullptr;  // of sums that this GPU has handed over; in its memory
};

// totals[k] = the sum number k of all ranks, for the first `count` of `limbs`, which are 0 afterwards. All in
// this GPU's memory; every GPU does the same.
void total_sums(std::int64_t* limbs, int count, double* totals, const SumPeers& peers, const Queue& queue);

// carried[k] = limbs[k] for the first `count` sums, with carries such that those of 2^29 ranks can be added;
// `limbs` are 0 afterwards.
void move_carried(std::int64_t* limbs, int count, std::int64_t* carried, const Queue& queue);

}  // namespace plaq

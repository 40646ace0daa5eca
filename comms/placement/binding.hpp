// Who gets what on a node: which GPU and which cores each of its ranks uses. Decided from plain descriptions,
// for all ranks of the node at once.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "comms/placement/topology.hpp"

namespace plaq {

// Ranks to GPUs, with the least cost in all.
inline constexpr std::int64_t no_gpu = std::numeric_limits<std::int64_t>::max();

// cost[rank][gpu]: of this rank on this GPU, or no_gpu where it cannot be; each rank can be on one at least.
// Returns the GPU of each rank: no GPU has more ranks than another when some could go there, and among those
// assignments one of least cost in all; always the same one.
std::vector<int> assign_gpus(const std::vector<std::vector<std::int64_t>>& cost);

// Cores and GPU of one rank, as it found them when it started.
struct RankPlace {
  CoreSet cores;         // that the launcher leaves to it
  bool may_bind = true;  // false: OpenMP has places of its own for the threads
  int threads = 0;       // asked for; 0: as many as its share of the cores
  std::vector<std::string>
      gpus;  // bus ids of the GPUs that it sees, in CUDA's order; none: it runs on the host
};

enum class BindingFault { shared_gpu, far_gpu, crowded };

struct Binding {
  int gpu = -1;        // among the GPUs that the rank sees; -1: none
  CoreSet cores;       // that it runs on
  bool bound = false;  // by plaq: `cores` are fewer than the launcher left to it
  int threads = 1;
  std::string numa;      // NUMA nodes of the cores: "0", "0-1", empty: unknown
  std::string gpu_numa;  // those of the cores near the GPU
  std::string card;      // the network card that is nearest to the GPU, else to the cores; empty: unknown
  std::vector<BindingFault> faults;
};

// ranks: of one node, in order; all see GPUs, or none does.
//
// GPU: as few ranks on each as can be; then as near as can be, which is the sum over ranks of the mean
// distance of their cores (NodeTopology::distance); then in order, so that rank r of ranks that are all alike
// gets GPU r, or, where there are more ranks than GPUs, neighbouring ranks share one. The order of GPUs is
// that in which the ranks see them. Cores: as the launcher gave them. Where several ranks all have the same,
// they were not bound: then each is bound to the cores near its GPU, if all GPUs have any, if this takes
// cores from anybody, and if all threads that were asked for have a core there. Threads: those asked for,
// else its share of the cores that it may have in common with others.
std::vector<Binding> bind_ranks(const NodeTopology& node, const std::vector<RankPlace>& ranks);

}  // namespace plaq

// Nodes that are not there, for tests of topology and binding.
#pragma once

#include <cstddef>

#include "comms/placement/binding.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

inline CoreSet range(int first, int count) {
  std::vector<int> cores;
  for (int i = 0; i < count; ++i) cores.push_back(first + i);
  return CoreSet(std::move(cores));
}

// `sockets` of `numa_nodes` of `cores` each, numbered in this order.
inline NodeTopology empty_node(int sockets, int numa_nodes, int cores) {
  NodeTopology node;
  node.source = "nobody";
  for (int s = 0; s < sockets; ++s) {
    node.packages.push_back(range(s * numa_nodes * cores, numa_nodes * cores));
    for (int n = s * numa_nodes; n < (s + 1) * numa_nodes; ++n)
      node.numa_nodes.push_back({n, range(n * cores, cores)});
  }
  return node;
}

inline std::string bus_id(std::size_t i) { return plain_bus_id("0:" + std::to_string(10 + i) + ":0.0"); }

// GPU i near NUMA node numa[i], each with a network card behind the same bridge.
inline NodeTopology node_with_gpus(NodeTopology node, const std::vector<int>& numa) {
  for (std::size_t i = 0; i < numa.size(); ++i) {
    const auto n = static_cast<std::size_t>(numa[i]);
    BusDevice gpu{bus_id(i), {}, node.numa_nodes[n].cores, {"root" + std::to_string(n), std::to_string(i)}};
    BusDevice card = gpu;
    card.bus_id = "card" + std::to_string(i);
    card.name = "mlx5_" + std::to_string(i);
    node.gpus.push_back(std::move(gpu));
    node.cards.push_back(std::move(card));
  }
  return node;
}

inline std::vector<std::string> bus_ids(std::size_t count) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(bus_id(i));
  return ids;
}

// Ranks that all see all GPUs and all cores.
inline std::vector<RankPlace> unbound_ranks(int ranks, const CoreSet& cores, std::size_t gpus) {
  return std::vector<RankPlace>(static_cast<std::size_t>(ranks), RankPlace{cores, true, 0, bus_ids(gpus)});
}

// Rank places with rank r on the r-th part of the cores.
inline std::vector<RankPlace> bound_ranks(int ranks, int cores, std::size_t gpus) {
  auto all = unbound_ranks(ranks, {}, gpus);
  for (int r = 0; r < ranks; ++r) all[r].cores = range(r * (cores / ranks), cores / ranks);
  return all;
}

}  // namespace plaq::test

#include "comms/placement/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <tuple>

#include "comms/placement/core_set.hpp"

namespace plaq {

const BusDevice* NodeTopology::gpu(const std::string& bus_id) const {
  const auto found =
      std::find_if(gpus.begin(), gpus.end(), [&](const auto& g) { return g.bus_id == bus_id; });
  return found == gpus.end() ? nullptr : &*found;
}

std::string NodeTopology::numa_text(const CoreSet& cores) const {
  std::vector<int> numbers;
  for (const NumaNode& node : numa_nodes)
    if (node.cores.meets(cores)) numbers.push_back(node.number);
  return CoreSet(std::move(numbers)).text();
}

int NodeTopology::distance(int core, const CoreSet& near) const {
  if (near.empty() || near.contains(core)) return 0;
  for (const CoreSet& package : packages)
    if (package.contains(core) && package.meets(near)) return 1;
  return 2;
}

std::string plain_bus_id(const std::string& bus_id) {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  int end = 0;
  const bool whole =
      std::sscanf(bus_id.c_str(), "%x:%x:%x.%x%n", &domain, &bus, &device, &function, &end) == 4 &&
      static_cast<std::size_t>(end) == bus_id.size();
  return whole ? fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function) : bus_id;
}

NodeTopology read_topology(const std::vector<std::string>& gpu_bus_ids) {
  if (auto node = topology_of_hwloc(gpu_bus_ids)) return *std::move(node);
  NodeTopology node = topology_of_kernel(gpu_bus_ids);
  if (node.packages.empty()) node.packages.push_back(cores_of_process());  // a container may have no /sys
  return node;
}

const BusDevice* nearest_card(const NodeTopology& node, const BusDevice& device, int turn) {
  const auto nearness = [&](const BusDevice& card) {
    const auto [mine, its] =
        std::mismatch(device.bridges.begin(), device.bridges.end(), card.bridges.begin(), card.bridges.end());
    const int by_cores = card.near == device.near ? 2 : card.near.meets(device.near) ? 1 : 0;
    return std::tuple(mine - device.bridges.begin(), by_cores);
  };
  std::vector<const BusDevice*> nearest;
  for (const BusDevice& card : node.cards) {
    if (!nearest.empty() && nearness(card) < nearness(*nearest.front())) continue;
    if (!nearest.empty() && nearness(card) > nearness(*nearest.front())) nearest.clear();
    nearest.push_back(&card);
  }
  return nearest.empty() ? nullptr : nearest[static_cast<std::size_t>(turn) % nearest.size()];
}

}  // namespace plaq

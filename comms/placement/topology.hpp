// Topology of a node as plain data: cores, NUMA nodes, GPUs and network cards, and their distances.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "comms/placement/core_set.hpp"

namespace plaq {

// A device of the PCI bus.
struct BusDevice {
  std::string bus_id;                // "0000:17:00.0": domain, bus, device, function in hexadecimal
  std::string name;                  // of network cards: "mlx5_0", "eth0"
  CoreSet near;                      // the cores nearest to it; empty: unknown
  std::vector<std::string> bridges;  // above it, the root first: devices that share more of them are nearer
};

struct NodeTopology {
  std::string source;  // who says so, for users
  struct NumaNode {
    int number = 0;
    CoreSet cores;
  };
  std::vector<NumaNode> numa_nodes;
  std::vector<CoreSet> packages;  // sockets
  std::vector<BusDevice> gpus;    // those that were asked for and found
  std::vector<BusDevice> cards;   // network cards: InfiniBand and its like where there are any, else Ethernet

  const BusDevice* gpu(const std::string& bus_id) const;  // null: not found
  // NUMA nodes that have any of these cores: "0", "0-1", empty where nothing is known.
  std::string numa_text(const CoreSet& cores) const;
  // 0: `core` is one of `near`, 1: on a socket that has any of them, 2: elsewhere. 0 where nothing is known.
  int distance(int core, const CoreSet& near) const;
};

// Bus id in the form of this page, made from what CUDA or NVML say ("0000:17:00.0", "00000000:3B:00.0").
// Anything else than a PCI address stays as it is.
std::string plain_bus_id(const std::string& bus_id);

// The node that this process runs on, from hwloc, or where there is none from the kernel. Never fails: what
// cannot be found out is left empty. Takes some tenths of a second: for one rank of a node.
NodeTopology read_topology(const std::vector<std::string>& gpu_bus_ids);
// From hwloc (2.x, https://www.open-mpi.org/projects/hwloc/doc/): the machine, or in tests the one of an XML
// text. None where plaq was built without it, or it cannot be loaded.
std::optional<NodeTopology> topology_of_hwloc(const std::vector<std::string>& gpu_bus_ids,
                                              const std::string& xml = {});
// From the files of the kernel (Documentation/ABI in the Linux sources: sysfs-bus-pci,
// sysfs-devices-system-cpu, sysfs-devices-node, sysfs-class-net, sysfs-class-infiniband). `sys`: where they
// are.
NodeTopology topology_of_kernel(const std::vector<std::string>& gpu_bus_ids,
                                const std::filesystem::path& sys = "/sys");

// Network card that is nearest to a device, by shared bridges, then by cores. Among equally near ones it is
// number `turn` modulo their count. Null without cards.
const BusDevice* nearest_card(const NodeTopology& node, const BusDevice& device, int turn);

}  // namespace plaq

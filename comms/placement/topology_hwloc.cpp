// The node as hwloc knows it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "comms/placement/hwloc_library.hpp"
#include "comms/placement/topology.hpp"

namespace plaq {

#if defined(PLAQ_WITH_HWLOC)
namespace {

class HwlocReader {
 public:
  HwlocReader(const HwlocLibrary& hwloc, hwloc_topology_t topology) : hwloc_(hwloc), topology_(topology) {}

  NodeTopology read(const std::vector<std::string>& gpu_bus_ids) const {
    NodeTopology node;
    node.source = "hwloc";
    for_each(HWLOC_TYPE_DEPTH_NUMANODE, [&](hwloc_obj_t numa) {
      CoreSet cores = cores_of(numa->cpuset);
      if (!cores.empty()) node.numa_nodes.push_back({static_cast<int>(numa->os_index), std::move(cores)});
    });
    for_each(hwloc_.get_type_depth(topology_, HWLOC_OBJ_PACKAGE),
             [&](hwloc_obj_t package) { node.packages.push_back(cores_of(package->cpuset)); });
    for_each(HWLOC_TYPE_DEPTH_PCI_DEVICE, [&](hwloc_obj_t pci) {
      BusDevice gpu = device_of(pci);
      if (std::find(gpu_bus_ids.begin(), gpu_bus_ids.end(), gpu.bus_id) != gpu_bus_ids.end())
        node.gpus.push_back(std::move(gpu));
    });
    add_cards(node, HWLOC_OBJ_OSDEV_OPENFABRICS);
    if (node.cards.empty()) add_cards(node, HWLOC_OBJ_OSDEV_NETWORK);
    return node;
  }

 private:
  template <class Visit>
  void for_each(int depth, const Visit& visit) const {
    for (unsigned i = 0;; ++i) {
      const hwloc_obj_t object = hwloc_.get_obj_by_depth(topology_, depth, i);
      if (object == nullptr) return;
      visit(object);
    }
  }

  CoreSet cores_of(hwloc_const_cpuset_t set) const {
    std::vector<int> cores;
    for (int c = hwloc_.bitmap_next(set, -1); c >= 0; c = hwloc_.bitmap_next(set, c)) cores.push_back(c);
    return CoreSet(std::move(cores));
  }

  static std::string bus_id_of(const decltype(hwloc_obj_attr_u::pcidev)& pci) {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.dev, pci.func);
  }

  // Device of a PCI object or of a part of one; without a bus id for any other object.
  BusDevice device_of(hwloc_obj_t object) const {
    BusDevice device;
    while (object != nullptr && object->type == HWLOC_OBJ_OS_DEVICE) object = object->parent;
    if (object == nullptr || object->type != HWLOC_OBJ_PCI_DEVICE) return device;
    device.bus_id = bus_id_of(object->attr->pcidev);
    for (object = object->parent; object != nullptr && object->cpuset == nullptr; object = object->parent) {
      if (object->type != HWLOC_OBJ_BRIDGE) continue;
      const auto& bridge = object->attr->bridge;
      device.bridges.insert(device.bridges.begin(),
                            bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI
                                ? bus_id_of(bridge.upstream.pci)
                                : fmt::format("pci{:04x}:{:02x}", bridge.downstream.pci.domain,
                                              bridge.downstream.pci.secondary_bus));
    }
    if (object != nullptr) device.near = cores_of(object->cpuset);
    return device;
  }

  void add_cards(NodeTopology& node, hwloc_obj_osdev_type_t type) const {
    for_each(HWLOC_TYPE_DEPTH_OS_DEVICE, [&](hwloc_obj_t object) {
      if (object->attr->osdev.type != type) return;
      BusDevice card = device_of(object);
      card.name = object->name != nullptr ? object->name : card.bus_id;
      if (!card.bus_id.empty()) node.cards.push_back(std::move(card));
    });
  }

  const HwlocLibrary& hwloc_;
  hwloc_topology_t topology_;
};

}  // namespace

std::optional<NodeTopology> topology_of_hwloc(const std::vector<std::string>& gpu_bus_ids,
                                              const std::string& xml) {
  const HwlocLibrary* hwloc = HwlocLibrary::get();
  hwloc_topology_t raw = nullptr;
  if (hwloc == nullptr || hwloc->init(&raw) != 0) return std::nullopt;
  const std::unique_ptr<hwloc_topology, decltype(hwloc->destroy)> topology(raw, hwloc->destroy);
  // These components are not needed. They start drivers, and OpenCL may load LLVM, which takes signals.
  for (const char* component : {"opencl", "cuda", "nvml", "rsmi", "levelzero", "gl"})
    hwloc->set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
  if (!xml.empty() && hwloc->set_xmlbuffer(raw, xml.c_str(), static_cast<int>(xml.size()) + 1) != 0)
    return std::nullopt;
  // All cores, also those that a batch system gave to others.
  if (hwloc->set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
      hwloc->set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) != 0 || hwloc->load(raw) != 0)
    return std::nullopt;
  return HwlocReader(*hwloc, raw).read(gpu_bus_ids);
}

#else

std::optional<NodeTopology> topology_of_hwloc(const std::vector<std::string>&, const std::string&) {
  return std::nullopt;
}

#endif

}  // namespace plaq

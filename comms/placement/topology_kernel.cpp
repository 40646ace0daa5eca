// The node as the kernel shows it under /sys.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>

#include "comms/placement/topology.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

CoreSet cores_of(const fs::path& file) {
  try {
    return CoreSet::parse(text_of(file));
  } catch (const Error&) {
    return {};
  }
}

// Names in a directory; none where it cannot be read.
std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end; at.increment(failed))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The number of "node3" or "cpu12"; -1 for other names.
int number_of(const std::string& name, const std::string& prefix) {
  if (name.size() <= prefix.size() || name.size() > prefix.size() + 7 || !name.starts_with(prefix)) return -1;
  const auto digits = name.substr(prefix.size());
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return std::all_of(digits.begin(), digits.end(), digit) ? std::stoi(digits) : -1;
}

bool is_bus_id(const std::string& name) {
  return name.size() >= 12 && name.find(':') != std::string::npos && name.find('.') != std::string::npos &&
         plain_bus_id(name) == name;
}

// The PCI device that a link leads to or into: its path names all bridges.
BusDevice device_at(const fs::path& link) {
  BusDevice device;
  std::error_code failed;
  const fs::path path = fs::canonical(link, failed);
  if (failed) return device;
  fs::path here, at;
  for (const fs::path& part : path) {
    at /= part;
    const std::string name = part.string();
    if (is_bus_id(name)) {
      if (!device.bus_id.empty()) device.bridges.push_back(device.bus_id);
      device.bus_id = name;
      here = at;
    } else if (name.starts_with("pci") && name.find(':') != std::string::npos) {
      device.bridges = {name};
    }
  }
  device.near = cores_of(here / "local_cpulist");
  return device;
}

void add_cards(NodeTopology& node, const fs::path& directory) {
  for (const std::string& name : names_in(directory)) {
    BusDevice card = device_at(directory / name / "device");
    card.name = name;
    if (!card.bus_id.empty()) node.cards.push_back(std::move(card));
  }
}

}  // namespace

NodeTopology topology_of_kernel(const std::vector<std::string>& gpu_bus_ids, const fs::path& sys) {
  NodeTopology node;
  node.source = "the kernel, without hwloc";
  for (const std::string& name : names_in(sys / "devices/system/node"))
    if (const int number = number_of(name, "node"); number >= 0) {
      CoreSet cores = cores_of(sys / "devices/system/node" / name / "cpulist");
      if (!cores.empty()) node.numa_nodes.push_back({number, std::move(cores)});  // memory alone has none
    }
  std::sort(node.numa_nodes.begin(), node.numa_nodes.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  std::map<int, std::vector<int>> packages;
  for (const std::string& name : names_in(sys / "devices/system/cpu")) {
    const int core = number_of(name, "cpu");
    const std::string id =
        core < 0 ? "" : text_of(sys / "devices/system/cpu" / name / "topology/physical_package_id");
    if (!id.empty()) packages[std::atoi(id.c_str())].push_back(core);
  }
  for (auto& [id, cores] : packages) node.packages.emplace_back(std::move(cores));
  for (const std::string& bus_id : gpu_bus_ids) {
    BusDevice gpu = device_at(sys / "bus/pci/devices" / bus_id);
    if (!gpu.bus_id.empty()) node.gpus.push_back(std::move(gpu));
  }
  add_cards(node, sys / "class/infiniband");
  if (node.cards.empty()) add_cards(node, sys / "class/net");
  return node;
}

}  // namespace plaq

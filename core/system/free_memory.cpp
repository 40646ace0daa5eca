#include "core/system/memory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "core/launch/cuda_check.hpp"
#include "core/launch/queue.hpp"
#include "core/system/kept_memory.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

// The number that a file is, or that follows a word at the beginning of one of its lines.
std::optional<std::uint64_t> number_in(const fs::path& file, const std::string& word = "") {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream text(line);
    std::string found;
    if (!word.empty() && !(text >> found && found == word)) continue;
    std::uint64_t number = 0;
    if (text >> number) return number;
  }
  return std::nullopt;
}

// Names of the files about memory in a version of control groups.
struct GroupFiles {
  const char *folder, *limit, *used, *cache;  // cache: what the system gives back when it is wanted
};
constexpr GroupFiles version_1 = {"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file"};
constexpr GroupFiles version_2 = {"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

std::uint64_t left_in_group(const fs::path& group, const GroupFiles& files) {
  const auto limit = number_in(group / files.limit), used = number_in(group / files.used);
  if (!limit || !used) return unknown_memory;  // "max" is no number
  const std::uint64_t taken =
      *used - std::min(*used, number_in(group / "memory.stat", files.cache).value_or(0));
  return *limit - std::min(*limit, taken);
}

// The least of a group and those that it is in. A container may see its own as the root.
std::uint64_t left_in_groups(const fs::path& root, const std::string& path, const GroupFiles& files) {
  std::uint64_t least = unknown_memory;
  for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
    least = std::min(least, left_in_group(root / files.folder / group, files));
    if (group.empty()) return least;
  }
}

}  // namespace

std::uint64_t free_host_memory(const std::string& system) {
  const fs::path root = system;
  std::uint64_t least = unknown_memory;
  if (const auto kilobytes = number_in(root / "proc/meminfo", "MemAvailable:")) least = *kilobytes << 10;
  std::ifstream groups(
      root / "proc/self/cgroup");  // lines NUMBER:CONTROLLERS:PATH, of version 2 without controllers
  std::string line;
  while (std::getline(groups, line)) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, left_in_groups(root, path, version_2));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_in_groups(root, path, version_1));
  }
  return least;
}

std::uint64_t free_memory(Location location) {
  const std::size_t kept = kept_memory::bytes(location);
  if (location == Location::host) {
    const std::uint64_t free = free_host_memory();
    return free == unknown_memory ? free : free + kept;
  }
  if (device_count() == 0) return unknown_memory;
  std::size_t free = 0;
#if defined(PLAQ_WITH_CUDA)
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
#endif
  return free + kept;
}

}  // namespace plaq

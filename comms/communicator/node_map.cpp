#include "comms/communicator/node_map.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

#include "core/launch/queue.hpp"
#include "core/system/dry_run.hpp"

namespace plaq {

std::vector<int> nodes_of(const Communicator& comm) {
  if (const DryRun* run = DryRun::current()) {  // of all ranks, whose part may be meant
    std::vector<int> nodes(static_cast<std::size_t>(run->machine().ranks));
    for (std::size_t r = 0; r < nodes.size(); ++r)
      nodes[r] = static_cast<int>(r) / run->machine().on_node() * run->machine().on_node();
    return nodes;
  }
  return comm.all_gather(comm.split_by_node().min(comm.rank()));
}

int ranks_per_node(const std::vector<int>& nodes) {
  std::map<int, int> counts;
  for (const int node : nodes) ++counts[node];
  int divisor = 0;
  for (const auto& [node, count] : counts) divisor = std::gcd(divisor, count);
  return divisor;
}

bool two_ranks_share_a_device(const Communicator& comm) {
  constexpr std::size_t length = 32;
  std::array<char, length> mine{};  // launchers may show each rank a GPU of its own under the same index
  const std::string id = device_count() > 0 ? device_bus_id() : std::string();
  std::copy_n(id.begin(), std::min(id.size(), length - 1), mine.begin());
  auto all = comm.split_by_node().all_gather(mine);
  std::erase_if(all, [](const auto& one) { return one.front() == '\0'; });
  std::sort(all.begin(), all.end());
  return comm.any(std::adjacent_find(all.begin(), all.end()) != all.end());
}

}  // namespace plaq

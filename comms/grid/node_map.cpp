#include "comms/grid/node_map.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

#include "comms/grid/mpi_check.hpp"
#include "core/launch/queue.hpp"
#include "core/system/dry_run.hpp"

namespace plaq {

std::vector<int> nodes_of(MPI_Comm comm) {
  if (const DryRun* run = DryRun::current()) {  // of all ranks, whose part may be meant
    std::vector<int> nodes(static_cast<std::size_t>(run->machine().ranks));
    for (std::size_t r = 0; r < nodes.size(); ++r)
      nodes[r] = static_cast<int>(r) / run->machine().on_node() * run->machine().on_node();
    return nodes;
  }
  int rank = 0, size = 1, lowest = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm node = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split_type",
           [&] { return MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node); });
  wait_mpi("MPI_Allreduce", [&] { return MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, node); });
  free_comm(node);
  std::vector<int> nodes(static_cast<std::size_t>(size));
  wait_mpi("MPI_Allgather",
           [&] { return MPI_Allgather(&lowest, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm); });
  return nodes;
}

int ranks_per_node(const std::vector<int>& nodes) {
  std::map<int, int> counts;
  for (const int node : nodes) ++counts[node];
  int divisor = 0;
  for (const auto& [node, count] : counts) divisor = std::gcd(divisor, count);
  return divisor;
}

bool two_ranks_share_a_device(MPI_Comm comm) {
  constexpr std::size_t length = 32;
  std::array<char, length> mine{};  // launchers may show each rank a GPU of its own under the same index
  const std::string id = device_bus_id();
  std::copy_n(id.begin(), std::min(id.size(), length - 1), mine.begin());
  const std::vector<int> nodes = nodes_of(comm);
  std::vector<std::array<char, length>> all(nodes.size());
  wait_mpi("MPI_Allgather",
           [&] { return MPI_Allgather(mine.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, comm); });
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (nodes[a] == nodes[b] && all[a] == all[b]) return true;
  return false;
}

}  // namespace plaq

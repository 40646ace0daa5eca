#include "comms/launch_site.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "comms/mpi_check.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/queue.hpp"
#include "core/target.hpp"

namespace plaq {
namespace {

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

int sum_over(MPI_Comm comm, int value) {
  int sum = 0;
  wait_mpi("MPI_Allreduce", [&] { return MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm); });
  return sum;
}
int max_over(MPI_Comm comm, int value) {
  int most = 0;
  wait_mpi("MPI_Allreduce", [&] { return MPI_Allreduce(&value, &most, 1, MPI_INT, MPI_MAX, comm); });
  return most;
}

// Ranks that a launcher did not bind see all cores of the node and must share them; bound ranks own what they
// see.
int share_of_cores(MPI_Comm node, int node_ranks) {
  cpu_set_t mine, all;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  wait_mpi("MPI_Allreduce", [&] {
    return MPI_Allreduce(&mine, &all, static_cast<int>(sizeof mine), MPI_BYTE, MPI_BOR, node);
  });
  const int total = sum_over(node, usable_cores()), distinct = CPU_COUNT(&all);
  if (total <= distinct) return usable_cores();
  return std::max(1, distinct / node_ranks);
}

// Launchers may show each rank a GPU of its own under the same index: its bus address tells.
int ranks_on_this_device(MPI_Comm node, int node_ranks) {
  constexpr int length = 32;
  std::array<char, length> mine{};
  const std::string id = device_bus_id();
  std::copy_n(id.begin(), std::min<std::size_t>(id.size(), length - 1), mine.begin());
  std::vector<char> all(static_cast<std::size_t>(length * node_ranks));
  wait_mpi("MPI_Allgather",
           [&] { return MPI_Allgather(mine.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, node); });
  int count = 0;
  for (auto at = all.begin(); at != all.end(); at += length)
    count += std::equal(mine.begin(), mine.end(), at) ? 1 : 0;
  return count;
}

}  // namespace

LaunchSite choose_launch_site(MPI_Comm comm, const std::string& where, int threads) {
  LaunchSite site;
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  MPI_Comm_rank(node, &site.node_rank);
  MPI_Comm_size(node, &site.node_ranks);
  const int share = share_of_cores(node, site.node_ranks);
  const int cores = share * site.node_ranks;
  const bool told = std::getenv("OMP_NUM_THREADS") != nullptr;
  site.threads = threads > 0 ? threads : told ? omp_get_max_threads() : share;
  omp_set_num_threads(site.threads);
  const bool crowded = site.node_ranks * site.threads > std::max(cores, usable_cores());
  if (max_over(comm, crowded ? 1 : 0))
    log::warning("more ranks times threads than cores on a node: expect poor speed");

  const int devices = device_count();
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const bool everywhere = sum_over(comm, devices > 0 ? 1 : 0) == ranks;
  if (where == "gpu" && !everywhere) {
    MPI_Comm_free(&node);
    throw Error(ErrorKind::device,
                with_cuda ? "location = \"gpu\" was asked for, but not every rank sees a usable NVIDIA GPU"
                          : "location = \"gpu\" was asked for, but this plaq was built without CUDA");
  }
  if (where == "host" || !everywhere) {
    MPI_Comm_free(&node);
    return site;
  }
  site.location = Location::device;
  site.device = site.node_rank % devices;
  use_device(site.device);
  site.device_name = device_name();
  const int sharing = max_over(comm, ranks_on_this_device(node, site.node_ranks));
  MPI_Comm_free(&node);
  if (sharing > 1)
    log::warning(fmt::format("{} ranks share one GPU: one rank a GPU is what plaq is made for", sharing));
  return site;
}

}  // namespace plaq

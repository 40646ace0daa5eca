// Place of this rank: its GPU, cores and number of threads. It is chosen once at start-up, from the cores
// that the launcher gave and from the topology of the node.
#pragma once

#include <string>
#include <string_view>

#include "comms/communicator/communicator.hpp"
#include "core/system/location.hpp"

namespace plaq {

struct LaunchSite {
  Location location = Location::host;
  int threads = 1;    // host threads of this rank
  int node_rank = 0;  // among the ranks of this node
  int node_ranks = 1;
  int device = -1;  // index of the GPU, -1 on the host
  std::string device_name;
  std::string table;  // of all ranks, with a line that says what it is; on rank 0
};

std::string text_of(const LaunchSite& site);  // "NVIDIA H200", "host, 2 thread(s) a rank"

// Collective. `where` is "auto" (the GPU where every rank has one, else the host), "host" or "gpu"; `threads`
// = 0 takes OMP_NUM_THREADS, or where that is not set this rank's share of the cores that the launcher leaves
// to it. Selects the GPU, binds the process to cores near it where the launcher bound nobody
// (comms/placement/binding.hpp) and sets the number of threads: call it before OpenMP has any. Warns when
// ranks share a GPU, when one is far from its GPU, and when there are more threads than cores; `strict`:
// throws Error(usage) instead, on all ranks. Throws Error(device) when a GPU is asked for and missing.
LaunchSite choose_launch_site(const Communicator& comm, const std::string& where, int threads,
                              bool strict = false);

// While it lives, ranks of a part of the world take GPU, cores and neighbours from `chosen`, which all ranks
// chose together: choose_launch_site of a part would not know who else is on the node. Not nested.
class KeptLaunchSite {
 public:
  explicit KeptLaunchSite(LaunchSite chosen);
  ~KeptLaunchSite();
  KeptLaunchSite(const KeptLaunchSite&) = delete;
  KeptLaunchSite& operator=(const KeptLaunchSite&) = delete;
};

// Collective. Throws Error(device) on all ranks where one sees no GPU; `key`:
// what asked for them, "location".
void expect_devices(const Communicator& comm, std::string_view key);

}  // namespace plaq

// Where this rank runs: which GPU, how many threads. Decided once at start-up, from what the launcher gave
// us.
#pragma once

#include <mpi.h>

#include <string>

#include "core/location.hpp"

namespace plaq {

struct LaunchSite {
  Location location = Location::host;
  int threads = 1;    // host threads of this rank
  int node_rank = 0;  // among the ranks of this node
  int node_ranks = 1;
  int device = -1;  // index of the GPU, -1 on the host
  std::string device_name;
};

// Collective. `where` is "auto" (the GPU where every rank has one, else the host), "host" or "gpu"; `threads`
// = 0 takes OMP_NUM_THREADS, or where that is not set this rank's share of the cores that the launcher leaves
// to it. Selects the GPU and sets the number of threads. Warns when ranks share a GPU or when there are more
// ranks than cores. Throws Error(device) when a GPU is asked for and missing.
LaunchSite choose_launch_site(MPI_Comm comm, const std::string& where, int threads);

}  // namespace plaq

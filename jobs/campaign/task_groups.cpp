#include "jobs/campaign/task_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"
#include "comms/grid/node_map.hpp"
#include "core/system/error.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

TaskGroups::TaskGroups(int ranks_of_each, const std::string& where) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  size = ranks_of_each == 0 ? ranks : ranks_of_each;
  if (ranks % size != 0)
    throw Error(ErrorKind::usage,
                fmt::format("campaign: {} ranks are not shared evenly by groups of {} (ranks_per_task)",
                            ranks, size));
  number = rank / size;
  count = ranks / size;
  leads = rank % size == 0;
  nodes = static_cast<double>(size) / ranks_per_node(nodes_of(MPI_COMM_WORLD));
  site_.emplace(choose_launch_site(MPI_COMM_WORLD, where, 0));
  wait_mpi("MPI_Comm_split", [&] { return MPI_Comm_split(MPI_COMM_WORLD, number, rank, &comm_); });
  part_.emplace(comm_);
}

TaskGroups::~TaskGroups() {
  part_.reset();
  free_comm(comm_);
}

std::string TaskGroups::tell(std::string text) const {
  const Waiting wait([] { return std::string("what the group is to do next"); });
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
  int there = 0;
  while (check_mpi(MPI_Test(&request, &there, MPI_STATUS_IGNORE), "MPI_Test"), there == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return broadcast(comm_, std::move(text));
}

std::string where_tasks_run(const Campaign& campaign) {
  const bool on_host = std::all_of(campaign.tasks.begin(), campaign.tasks.end(), [&](const Task& task) {
    const Configuration any{once, "x", {}};
    return campaign.job(task, task.reads_fields ? &any : nullptr, 0, "x").parse().get<RunKeys>().location ==
           "host";
  });
  return on_host ? "host" : "auto";
}

}  // namespace plaq::jobs

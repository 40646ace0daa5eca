#include "jobs/campaign/task_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/node_map.hpp"
#include "core/system/error.hpp"
#include "core/system/waiting.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

TaskGroups::TaskGroups(int ranks_of_each, const std::string& where) {
  const Communicator all = whole_world();
  const int rank = all.rank(), ranks = all.size();
  size = ranks_of_each == 0 ? ranks : ranks_of_each;
  if (ranks % size != 0)
    throw Error(ErrorKind::usage,
                fmt::format("campaign: {} ranks are not shared evenly by groups of {} (ranks_per_task)",
                            ranks, size));
  number = rank / size;
  count = ranks / size;
  leads = rank % size == 0;
  nodes = static_cast<double>(size) / ranks_per_node(nodes_of(all));
  site_.emplace(choose_launch_site(all, where, 0));
  comm_ = all.split(number, rank);
  part_.emplace(comm_);
}

std::string TaskGroups::tell(std::string text) const {
  const Waiting wait([] { return std::string("what the group is to do next"); });
  Request all_there = comm_.start_barrier();
  while (!all_there.done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
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

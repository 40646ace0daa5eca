// The ranks of the program in groups, each of which works on one gauge field at a time.
#pragma once

#include <optional>
#include <string>

#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "jobs/campaign/campaign.hpp"

namespace plaq::jobs {

class TaskGroups {
 public:
  // Collective over all ranks, whose world() is that of their group while it lives. `size`: ranks of each, 0
  // for all. Throws Error(usage) where they do not share the ranks evenly. `where`: as [run] location.
  TaskGroups(int size, const std::string& where);
  TaskGroups(const TaskGroups&) = delete;
  TaskGroups& operator=(const TaskGroups&) = delete;

  int number = 0, count = 1;  // of this group, of all
  int size = 1;               // ranks of each
  bool leads = true;          // rank 0 of the group
  double nodes = 1;           // nodes, or the part of one, that a group is

  const Communicator& comm() const { return comm_; }
  // Collective over the group: what `text` is on its leader. Ranks that wait sleep: it may take hours.
  std::string tell(std::string text) const;

 private:
  Communicator comm_;
  std::optional<WorldPart> part_;
  std::optional<KeptLaunchSite> site_;
};

// Location of the tasks of a campaign, as [run] location: "host" if all of them say so.
std::string where_tasks_run(const Campaign& campaign);

}  // namespace plaq::jobs

// A worker of a campaign: takes one item after the other that no other worker has, and has its group of ranks
// do it. On the leader of a group alone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jobs/campaign/campaign_state.hpp"
#include "jobs/campaign/choice.hpp"
#include "jobs/campaign/heart.hpp"
#include "jobs/campaign/item_run.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/campaign/task_rows.hpp"
#include "jobs/campaign/worker_log.hpp"

namespace plaq::jobs {

struct WorkerSettings {
  std::string name;  // its own among all workers: "node7.4711"
  int ranks = 1;
  double nodes = 1;               // nodes, or the part of one, that its ranks are
  std::optional<double> ends_at;  // seconds since 1970: when the batch system ends it
  std::set<std::string> tasks;    // that it does; empty: all
};

class Worker {
 public:
  // Makes the directories that are missing. `campaign` must outlive it.
  Worker(const Campaign& campaign, WorkerSettings settings);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Next { item, waits, ends };
  // Finds something to do; `job` is it then. `waits`: ask again a little later. Throws Error(job_file) where
  // another worker does another job under this task's name.
  Next next();
  const TaskJob& job() const { return job_; }
  std::string job_log() const { return "log/" + settings_.name + ".log"; }
  // Ends the item with the outcome of its job, and publishes the results of a job that is done.
  void finish(const ItemOutcome& outcome);
  // The exit code of this worker, and why it ended; 0: nothing is left that it could do, and
  // nothing of its tasks is left out.
  int code() const { return code_; }
  const std::string& why() const { return why_; }
  // All that it did is recorded; results of complete tasks are put together. Throws, when all of that is
  // done, the first Error of write_complete_results.
  void end();

 private:
  Next look();
  bool take(const Item& item);
  void begin(const Item& item);
  void leave_out(const std::vector<Item>& items);
  void tell_lost(const Item& item, const std::string& worker);
  void conclude();
  void give_up(int code, const std::string& why);
  void publish(const Item& item);
  void adopt_earlier_work(const std::string& output) const;
  void remove_work(const std::string& name) const;
  void clear_after_the_dead();
  double time_left() const;
  std::string output_of(const Item& item) const;
  Event event(EventKind kind, const Item& item) const;

  const Campaign& campaign_;
  WorkerSettings settings_;
  std::string directory_;  // of its own work
  CampaignState state_;
  TaskRows rows_;
  Leases leases_;
  WorkerLog log_;
  TaskJob job_;
  Choice choice_;  // at the last look
  std::optional<Item> item_;
  int rung_ = 0;
  std::optional<Lease> lease_;
  std::unique_ptr<Heart> heart_;
  double refreshed_ = 0;
  int code_ = 0;
  std::string why_;
};

// rows, leases, ...: in the current directory. Throws Error(output_file).
void make_campaign_directories(const Campaign& campaign);
// "landau@000120": of an item.
std::string lease_name(const Campaign& campaign, const Item& item);
// The item of a lease; none where it is of something else.
std::optional<Item> item_of_lease(const Campaign& campaign, const std::string& name);

}  // namespace plaq::jobs

// State of a campaign: its items that are done, left out and in work, read from its directories, logs and
// quarantine.toml, again and again as they grow. Serial.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/quarantine.hpp"
#include "jobs/campaign/worker_log.hpp"

namespace plaq::jobs {

enum class ItemStatus {
  done,
  excluded,  // by quarantine.toml, it or something that it needs
  waits,     // for an item that is not done
  ready,     // to be done, or being done
};

// Attempts at an item that is not done.
struct ItemHistory {
  int bad_file = 0, machine = 0, lost = 0;  // times
  int rung = 0;                             // of the task's ladder, to be tried next
  std::optional<Event> failure;             // the last
  int failures() const { return bad_file + machine + lost; }
};

struct NodeHistory {
  std::set<std::string> failed;  // items that failed on it since it last had one done
  double last_seen = 0;          // seconds since 1970
  int last_code = 0;             // of the last failure
  int done = 0, failures = 0;
  double seconds = 0;  // of all that is done on it
};

class CampaignState {
 public:
  // `campaign` must outlive it. Looks at everything.
  explicit CampaignState(const Campaign& campaign);

  // Everything again: gauge fields, results, quarantine and logs.
  void refresh();
  // The quarantine and what the logs have new: what another worker found.
  void refresh_histories();
  // Notes that an item is done now.
  void note_done(const Item& item) { rows_[static_cast<std::size_t>(item.task)].insert(item.configuration); }

  const std::vector<Configuration>& configurations() const { return configurations_; }
  // Null for `once`, and for a field that is not there.
  const Configuration* find(const std::string& configuration) const;
  // Items of one task, by replica and trajectory.
  std::vector<Item> items(int task) const;
  ItemStatus status(const Item& item) const;
  bool done(const Item& item) const {
    return rows_[static_cast<std::size_t>(item.task)].contains(item.configuration);
  }
  // The exclusion that leaves an item out, or one that it needs; null: none.
  const Exclusion* exclusion(const Item& item) const;
  const std::vector<Exclusion>& exclusions() const { return exclusions_; }
  const ItemHistory& history(const Item& item) const;
  const NodeHistory& node(const std::string& name) const;
  const std::map<std::string, NodeHistory>& nodes() const { return nodes_; }
  // True if the logs say that a worker ever began the item. Files that the item
  // writes then belong to the campaign.
  bool was_begun(const Item& item) const { return begun_.contains(name(item)); }
  // True if the worker began the item and no log says how that ended.
  bool in_hand(const Item& item, const std::string& worker) const {
    return in_hand_.contains({name(item), worker});
  }
  // Event that completed an item; null if no log has it.
  const Event* how_done(const Item& item) const;
  // The longest that an item of this task took on so many ranks, seconds; 0: not known.
  double longest(int task, int ranks) const;
  const std::vector<Event>& events() const { return events_; }

 private:
  std::string name(const Item& item) const { return item_name(campaign_, item); }
  void look_at_rows();
  void look_for_rows_of_the_logs();
  void take(const Event& event);

  const Campaign& campaign_;
  std::vector<Configuration> configurations_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<std::unordered_set<std::string>> rows_;  // of each task: configurations that are done
  std::vector<Exclusion> exclusions_;
  std::map<std::string, std::size_t> excluded_;  // "landau.000120", "all.000120"
  LogReader reader_;
  std::vector<Event> events_;  // in the order of reading
  std::map<std::string, ItemHistory> histories_;
  std::map<std::string, Event> how_done_;
  std::unordered_set<std::string> begun_;
  std::set<std::pair<std::string, std::string>> in_hand_;  // items, workers
  std::map<std::string, NodeHistory> nodes_;
  std::map<std::pair<std::string, int>, double> longest_;  // task, ranks
};

}  // namespace plaq::jobs

// Progress, cost and expected end of a campaign. Serial, and changes nothing.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "jobs/campaign/campaign_state.hpp"
#include "jobs/campaign/task_rows.hpp"

namespace plaq::jobs {

struct TaskOverview {
  std::string name, job;
  std::size_t items = 0, done = 0, running = 0, excluded = 0, waiting = 0;
  double seconds = 0;      // mean of an item
  double node_hours = 0;   // mean of an item
  std::size_t faulty = 0;  // rows that do not belong to the task as its job file is now (TaskRows)
  std::string fault = {};  // of the first of them
  std::size_t left() const { return items - done - excluded; }
};

struct RunningItem {
  std::string item, worker, node;
  double seconds = 0;  // since it was begun; 0: not known
  double silence = 0;  // seconds since the last sign of life
  bool alive = true;   // else its worker is dead, or silent for longer than lease_timeout
};

struct NodeOverview {
  std::string name;
  int done = 0, failures = 0;
  double slowness = 1;  // mean of its times over those of the same tasks everywhere
  bool avoided = false;
};

struct Overview {
  std::size_t fields = 0;
  std::string note;  // where there are none: what was looked for
  std::vector<TaskOverview> tasks;
  std::vector<RunningItem> running;
  std::map<std::string, std::size_t> excluded;  // items by reason
  std::map<std::string, std::size_t> retried;   // failures by the kind of exit code, of items that go on
  std::vector<NodeOverview> nodes;              // the slowest first
  double node_hours_used = 0;
  double node_hours_left = 0;    // to do what is left, as far as times are known
  double node_hours_budget = 0;  // 0: none
  double seconds_left = 0;       // to the end, with the workers that live; 0: none, or not known
  std::size_t workers = 0;       // that have an item in hand
};

// `rows` may be kept from one look to the next: each row is then read once.
Overview overview_of(const Campaign& campaign, const CampaignState& state, TaskRows& rows);
std::string text_of(const Overview& overview);
nlohmann::ordered_json json_of(const Overview& overview);

}  // namespace plaq::jobs

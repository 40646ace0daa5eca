// Choice of the next item of a worker, and of the items that are left out. Serial.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/campaign/campaign_state.hpp"

namespace plaq::jobs {

// Why an item is to be left out after what was tried; none: it is tried, or tried again.
//   a file that cannot be read           [retry] bad_file times: the field is left out of every task
//   a solve that misses its tolerance    with every rung of the ladder
//   a job that the field does not suit   at once
//   a machine that fails                 [retry] machine times
//   a worker that dies with it in hand   [retry] lost times
std::optional<Exclusion> reason_to_leave_out(const Campaign& campaign, const CampaignState& state,
                                             const Item& item);

// True if workers left an item out. Users who leave an item out give their own reason.
bool is_of_workers(const Exclusion& exclusion);

// The machine failed, not the item.
bool is_of_machine(int code);

// Properties of a worker and of the others, for its choice.
struct Chooser {
  std::string node;                                // its own
  bool others_live = false;                        // on other nodes
  double time_left = 0;                            // seconds in which it may begin something
  int ranks = 1;                                   // that work together
  std::function<bool(const Item&)> taken;          // by another worker, as far as known
  std::function<bool(int task)> wanted = nullptr;  // null: every task
};

struct Choice {
  std::vector<Item> items;  // that may be begun, the best first
  // Others may be begun later, when what is in work elsewhere is done; so may those of gauge fields that a
  // task that is done once writes, and of which nothing is known yet.
  bool waits = false;
  bool no_time = false;  // others would not be done in time
  std::vector<Item> to_leave_out;
  std::vector<Item> waiting;   // for items that are not done
  std::vector<Item> left_out;  // by workers
  std::size_t taken = 0;       // by other workers
  std::vector<int> without;    // tasks without a single item
};
// Fields that failed come last, and not at once on the node where they did if others live. What would not be
// done in the time left, by the longest so far and a tenth, is not begun.
Choice choose(const Campaign& campaign, const CampaignState& state, const Chooser& chooser);

}  // namespace plaq::jobs

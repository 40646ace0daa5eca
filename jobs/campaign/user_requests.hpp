// Requests of users about work items: names that choose several, and the log of the requests.
#pragma once

#include <string>
#include <vector>

#include "jobs/campaign/campaign_state.hpp"

namespace plaq::jobs {

inline constexpr const char* user_log = "people";  // of log/people.jsonl, which plaq campaign retry writes

// TASK.FIELD, all.FIELD, or TASK or FIELD alone: what quarantine.toml calls it.
class ItemChooser {
 public:
  // Throws Error(usage) for a name that is no task and no gauge field.
  ItemChooser(const Campaign& campaign, const CampaignState& state, const std::vector<std::string>& names);
  bool chooses(const std::string& task, const std::string& configuration) const;
  // Exclusions in the form of quarantine.toml; a task's own are listed for each of its fields.
  std::vector<Exclusion> exclusions(const CampaignState& state, const Campaign& campaign) const;

 private:
  struct One {
    std::string task, configuration;  // empty: any
  };
  std::vector<One> chosen_;
};

}  // namespace plaq::jobs

// plaq campaign retry, quarantine: requests of users.
#include "jobs/campaign/user_requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/common/terminal_text.hpp"

namespace plaq::jobs {
namespace {

std::string user() {
  const char* name = std::getenv("USER");
  return name != nullptr && *name != '\0' ? name : user_log;
}

void say(const std::string& text) {
  print_whole([&] { print_safely(text); });
}

std::string line_of(const Exclusion& one) {
  return fmt::format("{:<28} {:<14} {}\n", one.task + '.' + one.configuration, one.reason,
                     one.message.substr(0, one.message.find('\n')));
}

}  // namespace

ItemChooser::ItemChooser(const Campaign& campaign, const CampaignState& state,
                         const std::vector<std::string>& names) {
  const auto is_task = [&](const std::string& name) { return name == all_tasks || campaign.find(name) >= 0; };
  const auto is_field = [&](const std::string& name) { return name == once || state.find(name) != nullptr; };
  for (const std::string& name : names) {
    const auto dot = name.find('.');
    const std::string task = name.substr(0, dot), rest = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (is_field(name)) {
      chosen_.push_back({{}, name});
    } else if (is_task(task) && (dot == std::string::npos || is_field(rest))) {
      chosen_.push_back({task, rest});
    } else {
      throw Error(ErrorKind::usage,
                  fmt::format("campaign: '{}' is no TASK.FIELD, TASK or FIELD of this campaign, such "
                              "as {}.{}",
                              name, campaign.tasks.front().name,
                              state.configurations().empty() ? once : state.configurations().front().name));
    }
  }
}

bool ItemChooser::chooses(const std::string& task, const std::string& configuration) const {
  return std::any_of(chosen_.begin(), chosen_.end(), [&](const One& one) {
    return (one.task.empty() || one.task == task) &&
           (one.configuration.empty() || one.configuration == configuration);
  });
}

std::vector<Exclusion> ItemChooser::exclusions(const CampaignState& state, const Campaign& campaign) const {
  std::vector<Exclusion> found;
  for (const One& one : chosen_) {
    const std::string task = one.task.empty() ? all_tasks : one.task;
    if (!one.configuration.empty())
      found.push_back({task, one.configuration, {}, {}, {}, {}});
    else if (const int number = campaign.find(task); number >= 0)
      for (const Item& item : state.items(number))
        found.push_back({task, item.configuration, {}, {}, {}, {}});
  }
  return found;
}

// A misspelt reason or node would choose nothing, in silence.
void expect_known(const CampaignState& state, const CampaignRetryOptions& options) {
  std::set<std::string> reasons, nodes;
  for (const Exclusion& one : state.exclusions()) reasons.insert(one.reason);
  for (const auto& [name, unused] : state.nodes()) nodes.insert(name);
  const auto expect = [](const std::set<std::string>& known, const std::string& name, const char* what) {
    if (name.empty() || known.contains(name)) return;
    const std::string hint =
        known.empty() ? "there is none" : nearest_hint(name, {known.begin(), known.end()});
    throw Error(ErrorKind::usage, fmt::format("campaign: retry: {} '{}'; {}", what, name, hint));
  };
  expect(reasons, options.reason, "nothing is left out with the reason");
  expect(nodes, options.node, "no worker of this campaign was ever on the node");
}

int retry_in_campaign(const CampaignRetryOptions& options) {
  const Campaign campaign = enter_campaign(options.directory);
  if (!options.all && options.items.empty() && options.node.empty() && options.reason.empty())
    throw Error(ErrorKind::usage,
                "campaign retry: no item is named; name TASK.FIELD, TASK or FIELD, or give --reason, --node "
                "or --all");
  make_campaign_directories(campaign);
  const CampaignState state(campaign);
  expect_known(state, options);
  const ItemChooser chooser(campaign, state, options.items);
  const bool any_item = options.all || !options.items.empty() || !options.reason.empty();
  const auto chosen = [&](const std::string& task, const std::string& configuration) {
    return any_item && (options.items.empty() || chooser.chooses(task, configuration));
  };
  // First the failures are forgotten, lest a worker leaves the item out again at once.
  WorkerLog log(user_log);
  const auto again = [&](const Item& item) {
    Event event;
    event.kind = EventKind::retry;
    event.item = item_name(campaign, item);
    log.write(event);
  };
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t)
    for (const Item& item : state.items(t)) {
      if (state.done(item)) continue;
      const ItemHistory& history = state.history(item);
      const Exclusion* exclusion = state.exclusion(item);
      if (!exclusion && history.failures() + history.rung == 0 && !history.failure) continue;
      if (!options.reason.empty() && (exclusion == nullptr || exclusion->reason != options.reason)) continue;
      const std::string& task = campaign.tasks[static_cast<std::size_t>(t)].name;
      if (chosen(task, item.configuration) ||
          (exclusion != nullptr && exclusion->task == all_tasks && chosen(all_tasks, item.configuration)))
        again(item);
    }
  const auto removed = remove_from_quarantine(
      [&](const Exclusion& one) {
        return chosen(one.task, one.configuration) &&
               (options.reason.empty() || one.reason == options.reason);
      },
      user());
  if (!options.node.empty()) {
    Event event;
    event.kind = EventKind::retry;
    log.write_for(options.node, event);
  }
  std::string text;
  for (const Exclusion& one : removed) text += line_of(one);
  say(text + fmt::format("{} no longer left out; workers try again what failed\n", removed.size()));
  return 0;
}

int quarantine_in_campaign(const CampaignQuarantineOptions& options) {
  const Campaign campaign = enter_campaign(options.directory);
  if (options.items.empty()) {
    std::string text;
    const auto exclusions = read_quarantine();
    for (const Exclusion& one : exclusions) text += line_of(one);
    say(exclusions.empty() ? "nothing is left out\n" : text);
    return 0;
  }
  make_campaign_directories(campaign);
  const CampaignState state(campaign);
  auto exclusions = ItemChooser(campaign, state, options.items).exclusions(state, campaign);
  for (Exclusion& one : exclusions) {
    one.reason = options.reason.empty() ? "by_hand" : options.reason;
    one.by = user();
    one.when = time_text(now_seconds());
  }
  add_to_quarantine(exclusions, user());
  say(fmt::format("{} left out: {}\n", exclusions.size(), quarantine_file));
  return 0;
}

}  // namespace plaq::jobs

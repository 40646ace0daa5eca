#include "jobs/campaign/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr double longer = 1.1;  // than the longest so far

// Reasons in quarantine.toml.
constexpr const char *of_input = "input_file", *of_solve = "not_converged", *of_job = "job_file",
                     *of_machine = "machine", *of_lost = "lost";

bool is(const std::optional<Event>& failure, ErrorKind kind) {
  return failure && failure->code == exit_code(kind);
}

std::string evidence(const ItemHistory& history) {
  if (!history.failure) return {};
  const Event& event = *history.failure;
  return fmt::format("{} (on {}, {})", event.message, event.node, time_text(event.at));
}

// True if another worker is busy with a task that runs once. It may write gauge fields
// that this worker's tasks measure.
bool fields_may_come(const Campaign& campaign, const CampaignState& state, const Chooser& chooser) {
  bool reads = false, in_work = false;
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    const bool reads_fields = campaign.tasks[static_cast<std::size_t>(t)].reads_fields;
    reads = reads || (reads_fields && (!chooser.wanted || chooser.wanted(t)));
    in_work = in_work || (!reads_fields && !state.done({t, once}) && chooser.taken({t, once}));
  }
  return reads && in_work;
}

}  // namespace

bool is_of_workers(const Exclusion& exclusion) {
  const std::string& reason = exclusion.reason;
  return reason == of_input || reason == of_solve || reason == of_job || reason == of_machine ||
         reason == of_lost;
}

bool is_of_machine(int code) {
  return code != exit_code(ErrorKind::input_file) && code != exit_code(ErrorKind::not_converged) &&
         code != exit_code(ErrorKind::usage) && code != exit_code(ErrorKind::job_file);
}

std::optional<Exclusion> reason_to_leave_out(const Campaign& campaign, const CampaignState& state,
                                             const Item& item) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(item.task)];
  const ItemHistory& history = state.history(item);
  const auto because = [&](const std::string& reason, const std::string& message) {
    return Exclusion{task.name, item.configuration, reason, message, {}, {}};
  };
  if (history.bad_file >= campaign.retry.bad_file) {
    Exclusion exclusion = because(of_input, evidence(history));
    if (task.reads_fields && !task.gauge_task) exclusion.task = all_tasks;
    return exclusion;
  }
  if (history.rung >= task.rungs()) return because(of_solve, evidence(history));
  if (is(history.failure, ErrorKind::job_file) || is(history.failure, ErrorKind::usage))
    return because(of_job, evidence(history));
  if (history.machine >= campaign.retry.machine)
    return because(of_machine, fmt::format("failed {} times: {}", history.machine, evidence(history)));
  if (history.lost >= campaign.retry.lost)
    return because(of_lost,
                   fmt::format("{} workers died with it in hand; their logs may say why", history.lost));
  return std::nullopt;
}

Choice choose(const Campaign& campaign, const CampaignState& state, const Chooser& chooser) {
  Choice choice;
  std::vector<Item> elsewhere;
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    if (chooser.wanted && !chooser.wanted(t)) continue;
    const bool fits = longer * state.longest(t, chooser.ranks) <= chooser.time_left;
    const std::vector<Item> items = state.items(t);
    if (items.empty()) choice.without.push_back(t);
    for (const Item& item : items) {
      const ItemStatus status = state.status(item);
      if (status == ItemStatus::waits) choice.waiting.push_back(item);
      if (status == ItemStatus::excluded && is_of_workers(*state.exclusion(item)))
        choice.left_out.push_back(item);
      if (status != ItemStatus::ready) continue;
      if (chooser.taken(item)) {
        ++choice.taken;
        continue;
      }
      if (reason_to_leave_out(campaign, state, item)) {
        choice.to_leave_out.push_back(item);
        continue;
      }
      if (!fits) {
        choice.no_time = true;
        continue;
      }
      const ItemHistory& history = state.history(item);
      const bool failed_here =
          history.bad_file + history.machine > 0 && history.failure->node == chooser.node;
      (failed_here && chooser.others_live ? elsewhere : choice.items).push_back(item);
    }
  }
  std::stable_sort(choice.items.begin(), choice.items.end(), [&](const Item& a, const Item& b) {
    return state.history(a).failures() < state.history(b).failures();
  });
  choice.waits = !choice.waiting.empty() || fields_may_come(campaign, state, chooser);
  // They are for others while these live.
  if (choice.items.empty() && !elsewhere.empty()) choice.waits = true;
  return choice;
}

}  // namespace plaq::jobs

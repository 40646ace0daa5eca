#include "jobs/campaign/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr double longer = 1.1;  // than the longest so far

bool is(const std::optional<Event>& failure, ErrorKind kind) {
  return failure && failure->code == exit_code(kind);
}

std::string evidence(const ItemHistory& history) {
  if (!history.failure) return {};
  const Event& event = *history.failure;
  return fmt::format("{} (on {}, {})", event.message, event.node, time_text(event.at));
}

}  // namespace

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
    Exclusion exclusion = because("input_file", evidence(history));
    if (task.reads_fields && !task.gauge_task) exclusion.task = all_tasks;
    return exclusion;
  }
  if (history.rung >= task.rungs()) return because("not_converged", evidence(history));
  if (is(history.failure, ErrorKind::job_file) || is(history.failure, ErrorKind::usage))
    return because("job_file", evidence(history));
  if (history.machine >= campaign.retry.machine)
    return because("machine", fmt::format("failed {} times: {}", history.machine, evidence(history)));
  if (history.lost >= campaign.retry.lost)
    return because("lost",
                   fmt::format("{} workers died with it in hand; their logs may say why", history.lost));
  return std::nullopt;
}

Choice choose(const Campaign& campaign, const CampaignState& state, const Chooser& chooser) {
  Choice choice;
  std::vector<Item> elsewhere;
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    if (chooser.wanted && !chooser.wanted(t)) continue;
    const bool fits = longer * state.longest(t, chooser.ranks) <= chooser.time_left;
    for (const Item& item : state.items(t)) {
      const ItemStatus status = state.status(item);
      if (status == ItemStatus::waits) choice.waits = true;
      if (status != ItemStatus::ready || chooser.taken(item)) continue;
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
  // They are for others while these live.
  if (choice.items.empty() && !elsewhere.empty()) choice.waits = true;
  return choice;
}

}  // namespace plaq::jobs

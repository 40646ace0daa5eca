#include "jobs/campaign/overview.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/progress.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/campaign/worker.hpp"

namespace plaq::jobs {
namespace {

constexpr double hour = 3600;
constexpr std::size_t most_nodes = 5, most_running = 10;  // that a screen has room for

const char* kind_of(int code) {
  switch (static_cast<ErrorKind>(code)) {
    case ErrorKind::input_file:
      return "input_file";
    case ErrorKind::not_converged:
      return "not_converged";
    case ErrorKind::job_file:
    case ErrorKind::usage:
      return "job_file";
    default:
      return "machine";
  }
}

struct Mean {
  double sum = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double mean() const { return count == 0 ? 0 : sum / count; }
};

class Counting {
 public:
  Counting(const Campaign& campaign, const CampaignState& state, TaskRows& rows)
      : campaign_(campaign), state_(state), rows_(rows) {}

  Overview run() {
    all_.fields = state_.configurations().size();
    if (all_.fields == 0) all_.note = campaign_.nothing_found();
    all_.node_hours_budget = campaign_.budget.node_hours;
    read_events();
    find_running();
    for (int t = 0; t < static_cast<int>(campaign_.tasks.size()); ++t) count(t);
    rate_nodes();
    if (nodes_at_work_ > 0) all_.seconds_left = all_.node_hours_left * hour / nodes_at_work_;
    return std::move(all_);
  }

 private:
  void read_events() {
    for (const Event& event : state_.events()) {
      if (event.kind == EventKind::start) started_[event.item] = event;
      const bool took_time = event.kind == EventKind::done || event.kind == EventKind::failed ||
                             event.kind == EventKind::stopped || event.kind == EventKind::dropped;
      if (took_time) all_.node_hours_used += event.seconds * event.nodes / hour;
      if (event.kind != EventKind::done) continue;
      const std::string task = event.item.substr(0, event.item.find('/'));
      seconds_[task].add(event.seconds);
      hours_[task].add(event.seconds * event.nodes / hour);
    }
  }

  void find_running() {
    Leases leases("leases", Holder{}, campaign_.workers.lease_timeout);
    leases.look();
    for (const Leases::Look& one : leases.looks()) {
      const auto item = item_of_lease(campaign_, one.name);
      if (!item) continue;
      RunningItem running{
          item_name(campaign_, *item), one.holder.worker, one.holder.node, 0, one.silence, true};
      running.alive = !one.holder.is_dead() && one.silence <= campaign_.workers.lease_timeout;
      const auto start = started_.find(running.item);
      if (start != started_.end() && start->second.worker == running.worker)
        running.seconds = std::max(0.0, now_seconds() - start->second.at);
      if (running.alive) {
        ++all_.workers;
        nodes_at_work_ += start != started_.end() ? start->second.nodes : 1;
        ++running_of_[item->task];
      }
      all_.running.push_back(std::move(running));
    }
  }

  void count(int t) {
    const Task& task = campaign_.tasks[static_cast<std::size_t>(t)];
    TaskOverview of{task.name,
                    task.job_type,
                    0,
                    0,
                    running_of_[t],
                    0,
                    0,
                    seconds_[task.name].mean(),
                    hours_[task.name].mean()};
    for (const Item& item : state_.items(t)) {
      ++of.items;
      switch (state_.status(item)) {
        case ItemStatus::done:
          ++of.done;
          continue;
        case ItemStatus::excluded:
          ++of.excluded;
          ++all_.excluded[state_.exclusion(item)->reason];
          continue;
        case ItemStatus::waits:
          ++of.waiting;
          break;
        case ItemStatus::ready:
          break;
      }
      const ItemHistory& history = state_.history(item);
      if (history.lost > 0) all_.retried["lost"] += static_cast<std::size_t>(history.lost);
      if (history.failure) ++all_.retried[kind_of(history.failure->code)];
    }
    if (const std::vector<Item> faulty = rows_.faulty(state_, t); !faulty.empty()) {
      of.faulty = faulty.size();
      of.fault = rows_.look(state_, faulty.front()).fault;
    }
    all_.node_hours_left += of.node_hours * static_cast<double>(of.left());
    all_.tasks.push_back(std::move(of));
  }

  void rate_nodes() {
    std::map<std::string, Mean> slowness;
    for (const Event& event : state_.events()) {
      if (event.kind != EventKind::done) continue;
      const double usual = seconds_[event.item.substr(0, event.item.find('/'))].mean();
      if (usual > 0) slowness[event.node].add(event.seconds / usual);
    }
    for (const auto& [name, node] : state_.nodes()) {
      if (node.done + node.failures == 0) continue;
      all_.nodes.push_back({name, node.done, node.failures,
                            slowness[name].count > 0 ? slowness[name].mean() : 1,
                            static_cast<int>(node.failed.size()) >= campaign_.retry.node});
    }
    std::stable_sort(all_.nodes.begin(), all_.nodes.end(), [](const NodeOverview& a, const NodeOverview& b) {
      return std::pair(a.avoided, a.slowness) > std::pair(b.avoided, b.slowness);
    });
  }

  const Campaign& campaign_;
  const CampaignState& state_;
  TaskRows& rows_;
  Overview all_;
  std::map<std::string, Event> started_;
  std::map<std::string, Mean> seconds_, hours_;  // of the items of a task
  std::map<int, std::size_t> running_of_;
  double nodes_at_work_ = 0;
};

std::string time_or_dash(double seconds) { return seconds > 0 ? duration_text(seconds) : "-"; }

std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return text;
}

}  // namespace

Overview overview_of(const Campaign& campaign, const CampaignState& state, TaskRows& rows) {
  return Counting(campaign, state, rows).run();
}

std::string text_of(const Overview& all) {
  std::string text = fmt::format(
      "{} gauge fields, {} workers at work\n\n{:<16} {:<15} {:>7} {:>7} {:>7} {:>8} {:>7} {:>10}\n",
      all.fields, all.workers, "task", "job", "items", "done", "running", "left out", "left", "time each");
  for (const TaskOverview& task : all.tasks)
    text +=
        fmt::format("{:<16} {:<15} {:>7} {:>7} {:>7} {:>8} {:>7} {:>10}\n", task.name, task.job, task.items,
                    task.done, task.running, task.excluded, task.left(), time_or_dash(task.seconds));
  text += '\n';
  if (!all.note.empty()) text += all.note + '\n';
  if (!all.excluded.empty())
    text += "left out     " + counts_text(all.excluded) + " (plaq campaign quarantine)\n";
  for (const TaskOverview& task : all.tasks)
    if (task.faulty > 0)
      text += fmt::format("wrong rows   {} of {}: {}\n", task.faulty, task.name, task.fault);
  if (!all.retried.empty()) text += "tried again  " + counts_text(all.retried) + '\n';
  text += fmt::format("node hours   {:.4g} used, {:.4g} to come", all.node_hours_used, all.node_hours_left);
  if (all.node_hours_budget > 0)
    text += fmt::format(
        ", {:.4g} of {:.4g} left{}", all.node_hours_budget - all.node_hours_used, all.node_hours_budget,
        all.node_hours_used + all.node_hours_left > all.node_hours_budget ? ": NOT ENOUGH" : "");
  text += fmt::format("\ntime left    {}\n", time_or_dash(all.seconds_left));
  if (!all.nodes.empty()) {
    text += "\nslowest nodes\n";
    for (std::size_t i = 0; i < std::min(most_nodes, all.nodes.size()); ++i) {
      const NodeOverview& node = all.nodes[i];
      text += fmt::format("  {:<16} {:.2f} of the usual time, {} done, {} failed{}\n", node.name,
                          node.slowness, node.done, node.failures, node.avoided ? ", AVOIDED" : "");
    }
  }
  if (!all.running.empty()) {
    text += "\nin work\n";
    for (std::size_t i = 0; i < std::min(most_running, all.running.size()); ++i) {
      const RunningItem& one = all.running[i];
      text += fmt::format("  {:<28} {:<20} {}{}\n", one.item, one.worker, time_or_dash(one.seconds),
                          one.alive ? "" : ": its worker is gone");
    }
    if (all.running.size() > most_running)
      text += fmt::format("  and {} more\n", all.running.size() - most_running);
  }
  return text;
}

nlohmann::ordered_json json_of(const Overview& all) {
  nlohmann::ordered_json json = {{"fields", all.fields}, {"workers", all.workers}};
  for (const TaskOverview& task : all.tasks)
    json["tasks"].push_back({{"name", task.name},
                             {"job", task.job},
                             {"items", task.items},
                             {"done", task.done},
                             {"running", task.running},
                             {"left_out", task.excluded},
                             {"waiting", task.waiting},
                             {"left", task.left()},
                             {"seconds_each", task.seconds},
                             {"node_hours_each", task.node_hours},
                             {"wrong_rows", task.faulty},
                             {"first_wrong_row", task.fault}});
  json["left_out"] = all.excluded;
  json["tried_again"] = all.retried;
  json["node_hours"] = {
      {"used", all.node_hours_used}, {"to_come", all.node_hours_left}, {"budget", all.node_hours_budget}};
  json["seconds_left"] = all.seconds_left;
  json["nodes"] = nlohmann::ordered_json::array();
  for (const NodeOverview& node : all.nodes)
    json["nodes"].push_back({{"name", node.name},
                             {"done", node.done},
                             {"failures", node.failures},
                             {"slowness", node.slowness},
                             {"avoided", node.avoided}});
  json["running"] = nlohmann::ordered_json::array();
  for (const RunningItem& one : all.running)
    json["running"].push_back({{"item", one.item},
                               {"worker", one.worker},
                               {"node", one.node},
                               {"seconds", one.seconds},
                               {"silence", one.silence},
                               {"alive", one.alive}});
  return json;
}

}  // namespace plaq::jobs

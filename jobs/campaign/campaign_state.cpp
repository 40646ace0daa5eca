#include "jobs/campaign/campaign_state.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

std::string task_of_item(const std::string& item) { return item.substr(0, item.find('/')); }

}  // namespace

CampaignState::CampaignState(const Campaign& campaign) : campaign_(campaign) { refresh(); }

void CampaignState::refresh() {
  configurations_ = campaign_.configurations();
  by_name_.clear();
  for (std::size_t i = 0; i < configurations_.size(); ++i) by_name_.emplace(configurations_[i].name, i);
  look_at_rows();
  refresh_histories();
  look_for_rows_of_the_logs();
}

void CampaignState::look_at_rows() {
  rows_.assign(campaign_.tasks.size(), {});
  for (std::size_t t = 0; t < rows_.size(); ++t) {
    std::error_code failure;
    std::filesystem::directory_iterator at("rows/" + campaign_.tasks[t].name, failure);
    for (const std::filesystem::directory_iterator end; !failure && at != end; at.increment(failure)) {
      std::string name = at->path().filename().string();
      if (name.starts_with('.')) continue;
      if (campaign_.tasks[t].reads_fields) {
        if (!name.ends_with(".h5")) continue;
        name.resize(name.size() - 3);
      } else if (!has_row(campaign_, {static_cast<int>(t), name})) {
        continue;
      }
      rows_[t].insert(std::move(name));
    }
  }
}

// Another node's row may be missing in this node's list of the directory for some seconds, but the logs tell
// of it.
void CampaignState::look_for_rows_of_the_logs() {
  for (const auto& [name, event] : how_done_) {
    const std::string task = task_of_item(name);
    const Item item{campaign_.find(task), name.substr(std::min(name.size(), task.size() + 1))};
    if (item.task >= 0 && !done(item) && has_row(campaign_, item)) note_done(item);
  }
}

void CampaignState::refresh_histories() {
  exclusions_ = read_quarantine();
  excluded_.clear();
  for (std::size_t i = 0; i < exclusions_.size(); ++i)
    excluded_.emplace(exclusions_[i].task + '.' + exclusions_[i].configuration, i);
  std::vector<Event> more = reader_.read_new();
  std::stable_sort(more.begin(), more.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
  for (Event& event : more) {
    take(event);
    events_.push_back(std::move(event));
  }
}

void CampaignState::take(const Event& event) {
  NodeHistory* node = event.node.empty() ? nullptr : &nodes_[event.node];
  if (node != nullptr) node->last_seen = std::max(node->last_seen, event.at);
  in_hand_.erase({event.item, event.kind == EventKind::lost ? event.from : event.worker});
  ItemHistory* item = event.item.empty() ? nullptr : &histories_[event.item];
  switch (event.kind) {
    case EventKind::start:
      begun_.insert(event.item);
      in_hand_.emplace(event.item, event.worker);
      break;
    case EventKind::done:
      how_done_[event.item] = event;
      longest_[{task_of_item(event.item), event.ranks}] =
          std::max(longest_[{task_of_item(event.item), event.ranks}], event.seconds);
      if (node == nullptr) break;
      node->failed.clear();
      ++node->done;
      node->seconds += event.seconds;
      break;
    case EventKind::lost:
      if (item != nullptr) ++item->lost;
      break;
    case EventKind::retry:
      if (item != nullptr) *item = {};
      if (node != nullptr && item == nullptr) node->failed.clear();
      break;
    case EventKind::failed:
      if (item == nullptr) break;
      item->failure = event;
      if (event.code == exit_code(ErrorKind::not_converged)) {
        item->rung = std::max(item->rung, event.rung + 1);
      } else if (event.code == exit_code(ErrorKind::input_file)) {
        ++item->bad_file;
      } else {
        ++item->machine;
        if (node == nullptr) break;
        node->failed.insert(event.item);
        node->last_code = event.code;
        ++node->failures;
      }
      break;
    default:
      break;
  }
}

const Configuration* CampaignState::find(const std::string& configuration) const {
  const auto at = by_name_.find(configuration);
  return at == by_name_.end() ? nullptr : &configurations_[at->second];
}

std::vector<Item> CampaignState::items(int task) const {
  const Task& of = campaign_.tasks[static_cast<std::size_t>(task)];
  if (!of.reads_fields) return {{task, once}};
  std::vector<Item> items;
  for (const Configuration& configuration : configurations_)
    if (of.wants(configuration)) items.push_back({task, configuration.name});
  return items;
}

const Exclusion* CampaignState::exclusion(const Item& item) const {
  const Task& task = campaign_.tasks[static_cast<std::size_t>(item.task)];
  for (const std::string& of : {task.name, std::string(all_tasks)})
    if (const auto at = excluded_.find(of + '.' + item.configuration); at != excluded_.end())
      return &exclusions_[at->second];
  for (const int other : task.needs) {
    const bool reads = campaign_.tasks[static_cast<std::size_t>(other)].reads_fields;
    const Item needed{other, reads ? item.configuration : once};
    if (done(needed)) continue;
    if (const Exclusion* found = exclusion(needed)) return found;
  }
  return nullptr;
}

ItemStatus CampaignState::status(const Item& item) const {
  if (done(item)) return ItemStatus::done;
  if (exclusion(item) != nullptr) return ItemStatus::excluded;
  const Task& task = campaign_.tasks[static_cast<std::size_t>(item.task)];
  for (const int other : task.needs) {
    const bool reads = campaign_.tasks[static_cast<std::size_t>(other)].reads_fields;
    if (!done({other, reads ? item.configuration : once})) return ItemStatus::waits;
  }
  return ItemStatus::ready;
}

const ItemHistory& CampaignState::history(const Item& item) const {
  static const ItemHistory none;
  const auto at = histories_.find(name(item));
  return at == histories_.end() ? none : at->second;
}

const NodeHistory& CampaignState::node(const std::string& name) const {
  static const NodeHistory none;
  const auto at = nodes_.find(name);
  return at == nodes_.end() ? none : at->second;
}

const Event* CampaignState::how_done(const Item& item) const {
  const auto at = how_done_.find(name(item));
  return at == how_done_.end() ? nullptr : &at->second;
}

double CampaignState::longest(int task, int ranks) const {
  const auto at = longest_.find({campaign_.tasks[static_cast<std::size_t>(task)].name, ranks});
  return at == longest_.end() ? 0 : at->second;
}

}  // namespace plaq::jobs

#include "jobs/campaign/task_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <vector>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/results/joined_rows.hpp"
#include "jobs/results/output_file.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

// Those whose rows are there and count.
std::vector<Item> included(const CampaignState& state, int task) {
  std::vector<Item> items;
  for (const Item& item : state.items(task))
    if (state.done(item) && state.exclusion(item) == nullptr) items.push_back(item);
  return items;
}

bool is_complete(const CampaignState& state, int task) {
  const auto items = state.items(task);
  return !items.empty() && std::all_of(items.begin(), items.end(), [&](const Item& item) {
    const ItemStatus status = state.status(item);
    return status == ItemStatus::done || status == ItemStatus::excluded;
  });
}

bool is_up_to_date(const Campaign& campaign, int task, const std::vector<Item>& items) {
  std::error_code failure;
  const auto made =
      fs::last_write_time(results_file(campaign.tasks[static_cast<std::size_t>(task)]), failure);
  if (failure) return false;
  const auto is_older = [&](const std::string& file) {
    std::error_code none;
    const auto changed = fs::last_write_time(file, none);
    return none || changed < made;
  };
  return is_older(quarantine_file) && std::all_of(items.begin(), items.end(), [&](const Item& item) {
           return is_older(row_file(campaign, item));
         });
}

}  // namespace

namespace {

void join(const Campaign& campaign, const CampaignState& state, const std::vector<Item>& items,
          const std::string& file) {
  std::vector<std::string> files;
  std::vector<std::int64_t> rungs;
  for (const Item& item : items) {
    files.push_back(row_file(campaign, item));
    const Event* how = state.how_done(item);
    rungs.push_back(how != nullptr ? how->rung : 0);
  }
  JoinOptions options;
  options.advice = "plaq campaign quarantine . FIELD leaves one of them out";
  const auto lowest = std::min_element(rungs.begin(), rungs.end());
  options.reference = static_cast<std::size_t>(lowest - rungs.begin());
  options.solvers_may_differ =
      std::any_of(rungs.begin(), rungs.end(), [](std::int64_t rung) { return rung > 0; });
  if (options.solvers_may_differ) options.columns.emplace_back("/configurations/rung", rungs);
  OutputFile out(file, true);
  out.replace(joined_rows(files, options));
  out.commit();
}

}  // namespace

std::size_t write_results(const Campaign& campaign, const CampaignState& state, int number) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(number)];
  if (!task.reads_fields) return 0;
  const std::vector<Item> items = included(state, number);
  if (!items.empty()) join(campaign, state, items, results_file(task));
  return items.size();
}

void refresh_results(const Campaign& campaign, const CampaignState& state, int task) {
  if (!is_up_to_date(campaign, task, included(state, task))) write_results(campaign, state, task);
}

std::string write_results_with_left_out(const Campaign& campaign, const CampaignState& state, int number,
                                        const std::string& directory) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(number)];
  std::vector<Item> items;
  for (const Item& item : state.items(number))
    if (state.done(item)) items.push_back(item);
  if (!task.reads_fields || items.size() == included(state, number).size()) return {};
  std::string file = fmt::format("{}/{}.with_left_out.h5", directory, task.name);
  join(campaign, state, items, file);
  return file;
}

void write_complete_results(const Campaign& campaign, const CampaignState& state, const std::string& by) {
  Leases leases("leases", Holder::of_this_process(by), campaign.workers.lease_timeout);
  std::exception_ptr failure;  // the first: other tasks have theirs all the same
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    const Task& task = campaign.tasks[static_cast<std::size_t>(t)];
    if (!task.reads_fields || !is_complete(state, t)) continue;
    const auto lease = leases.take("results@" + task.name);
    if (!lease || is_up_to_date(campaign, t, included(state, t))) continue;
    try {
      const std::size_t rows = write_results(campaign, state, t);
      if (rows > 0)
        log::info(fmt::format("{}: complete, {} gauge fields in {}", task.name, rows, results_file(task)));
    } catch (const Error& error) {
      if (failure) log::error(error.what());
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plaq::jobs

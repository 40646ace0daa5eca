#include "jobs/campaign/task_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/names_now.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/heart.hpp"
#include "jobs/campaign/lease.hpp"
#include "jobs/campaign/task_rows.hpp"
#include "jobs/results/joined_rows.hpp"
#include "jobs/results/output_file.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_record_bytes = 1 << 28;  // a line of each row
constexpr auto between_tries = std::chrono::milliseconds(200);

// Items whose rows are there and count.
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

// Beside results/TASK.h5: that file and the rows that it was made of, as they were.
std::string record_file(const Task& task) { return fmt::format("results/.{}.rows", task.name); }

// Empty where it cannot be read: it is then made again.
std::string text_if_readable(const std::string& record) {
  try {
    return text_of_file(record, most_record_bytes);
  } catch (const Error&) {
    return {};
  }
}

std::string record_of_rows(const Campaign& campaign, const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += state_of_file(row_file(campaign, item));
  return text;
}

// True if the file is made of just these rows, as they are now. Times are compared for
// equality alone: clocks of nodes differ.
bool is_up_to_date(const Campaign& campaign, int number, const std::vector<Item>& items) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(number)];
  const std::string file = results_file(task), record = record_file(task);
  if (items.empty()) return !exists_now(file);
  if (!exists_now(file) || !exists_now(record)) return false;
  const std::string text = text_if_readable(record);
  return text == state_of_file(file) + record_of_rows(campaign, items);
}

}  // namespace

namespace {

void join(const Campaign& campaign, const CampaignState& state, TaskRows& rows,
          const std::vector<Item>& items, const std::string& file) {
  std::vector<std::string> files;
  JoinOptions options;
  options.advice = "plaq campaign quarantine . FIELD leaves one of them out";
  for (const Item& item : items) {
    files.push_back(row_file(campaign, item));
    options.rungs.push_back(rows.look(state, item).rung);
  }
  OutputFile out(file, true);
  out.replace(joined_rows(files, options));
  out.commit();
}

}  // namespace

namespace {

std::size_t write_rows(const Campaign& campaign, const CampaignState& state, int number,
                       const std::vector<Item>& items) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(number)];
  const std::string file = results_file(task), record = record_file(task);
  std::error_code ignored;
  fs::remove(record, ignored);
  if (items.empty()) {
    if (fs::remove(file, ignored)) log::info(fmt::format("{} is removed: it has no row any more", file));
    return 0;
  }
  const std::string rows =
      record_of_rows(campaign, items);  // before they are read: they may change meanwhile
  TaskRows task_rows(campaign);
  task_rows.expect_faultless(state, number);
  join(campaign, state, task_rows, items, file);
  write_atomically(record, state_of_file(file) + rows, true);
  return items.size();
}

// Writes results/TASK.h5 with no other process at it. Returns the number of its rows; none where it is up to
// date, unless `anyway`.
std::optional<std::size_t> write_alone(const Campaign& campaign, const CampaignState& state, int number,
                                       bool anyway, const ResultsWriter& writer) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(number)];
  const std::vector<Item> items = included(state, number);
  const std::string name = "results@" + task.name;
  Leases leases("leases", Holder::of_this_process(writer.name), campaign.workers.lease_timeout);
  while (true) {
    if (!anyway && is_up_to_date(campaign, number, items)) return std::nullopt;
    if (const auto lease = leases.take(name)) {
      if (!anyway && is_up_to_date(campaign, number, items)) return std::nullopt;
      const Heart heart(*lease, campaign.workers.heartbeat);
      return write_rows(campaign, state, number, items);
    }
    if (writer.may_wait && !writer.may_wait()) {
      const auto& held = leases.look();
      const auto holder = held.find(name);
      const bool known = holder != held.end() && !holder->second.worker.empty();
      throw Error(
          ErrorKind::stopped,
          fmt::format(
              "{} is not written: {} has the lease leases/{}, and no time is left to wait for it; the "
              "next plaq campaign run writes it",
              results_file(task), known ? holder->second.worker : "another worker", name));
    }
    std::this_thread::sleep_for(between_tries);
  }
}

}  // namespace

std::size_t write_results(const Campaign& campaign, const CampaignState& state, int task,
                          const ResultsWriter& writer) {
  if (!campaign.tasks[static_cast<std::size_t>(task)].reads_fields) return 0;
  return write_alone(campaign, state, task, true, writer).value_or(0);
}

void refresh_results(const Campaign& campaign, const CampaignState& state, int task,
                     const ResultsWriter& writer) {
  if (campaign.tasks[static_cast<std::size_t>(task)].reads_fields)
    write_alone(campaign, state, task, false, writer);
}

std::string write_results_with_left_out(const Campaign& campaign, const CampaignState& state, int number,
                                        const std::string& directory) {
  const Task& task = campaign.tasks[static_cast<std::size_t>(number)];
  std::vector<Item> items;
  for (const Item& item : state.items(number))
    if (state.done(item)) items.push_back(item);
  if (!task.reads_fields || items.size() == included(state, number).size()) return {};
  std::string file = fmt::format("{}/{}.with_left_out.h5", directory, task.name);
  TaskRows rows(campaign);
  join(campaign, state, rows, items, file);
  return file;
}

void write_complete_results(const Campaign& campaign, const CampaignState& state,
                            const ResultsWriter& writer) {
  std::exception_ptr failure;  // the first: other tasks have theirs all the same
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    const Task& task = campaign.tasks[static_cast<std::size_t>(t)];
    if (!task.reads_fields || !is_complete(state, t)) continue;
    try {
      if (const auto rows = write_alone(campaign, state, t, false, writer); rows && *rows > 0)
        log::info(fmt::format("{}: complete, {} gauge fields in {}", task.name, *rows, results_file(task)));
    } catch (const Error& error) {
      if (failure) log::error(error.what());
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace plaq::jobs

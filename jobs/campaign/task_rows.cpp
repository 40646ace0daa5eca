#include "jobs/campaign/task_rows.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "core/system/machine.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/results/joined_rows.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/result_file.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

const Task& task_of(const Campaign& campaign, const Item& item) {
  return campaign.tasks[static_cast<std::size_t>(item.task)];
}

// The job and the rung that a row states.
struct RowSays {
  std::string job, version;
  std::optional<int> rung;
};

RowSays read_row(const std::string& file) {
  RowSays row;
  for (const StoredObject& object : read_result_file(file, StoredValues::read, rung_column).objects) {
    if (object.path == "/") {
      const auto* job = find_attribute<std::string>(object.attributes, "job");
      const auto* version = find_attribute<std::string>(object.attributes, "plaq_version");
      if (job != nullptr) row.job = *job;
      if (version != nullptr) row.version = *version;
    }
    if (object.path != rung_column || !object.values) continue;
    const auto* rungs = std::get_if<std::vector<std::int64_t>>(&*object.values);
    if (rungs != nullptr && rungs->size() == 1) row.rung = static_cast<int>(rungs->front());
  }
  return row;
}

// The first key in which two jobs differ, but for their gauge fields. How these are numbered counts: it tells
// one ensemble, or what another task made of it, from another.
std::optional<JobDifference> difference(const std::string& theirs, const std::string& ours) {
  for (JobDifference& one : compare_jobs(theirs, ours))
    if (one.key != KeyName{"gauge", "files"}) return std::move(one);
  return std::nullopt;
}

std::string shown(const std::string& value) { return value.empty() ? "absent" : value; }

}  // namespace

std::string state_of_file(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return file + " is not there\n";
  return fmt::format("{} {} bytes {}.{:09}\n", file, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

void publish_row(const Campaign& campaign, const Item& item, const std::string& output, int rung) {
  const Task& task = task_of(campaign, item);
  const std::string row = row_file(campaign, item);
  if (!task.reads_fields) return write_atomically(row, text_of_single_job(campaign, task), true);
  if (task.keys.ladder.empty()) {
    std::error_code failure;
    std::filesystem::rename(output, row, failure);
    if (failure)
      throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", row, failure.message()));
    return sync_directory_of(row);
  }
  JoinOptions options;
  options.rungs = {rung};
  options.always_with_rungs = true;
  OutputFile out(row, true);
  out.replace(joined_rows({output}, options));
  out.commit();
}

const std::string& TaskRows::job_text(int number, int rung) {
  const auto [at, is_new] = texts_.try_emplace({number, rung});
  if (is_new) {
    const Configuration some{once, campaign_.ensemble.files, {}};
    const Task& task = campaign_.tasks[static_cast<std::size_t>(number)];
    at->second = campaign_.job(task, &some, rung, "results.h5").parse().physics_text();
  }
  return at->second;
}

TaskRow TaskRows::read(const CampaignState& state, const Item& item) {
  const Task& task = task_of(campaign_, item);
  const std::string file = row_file(campaign_, item);
  TaskRow row;
  if (!task.reads_fields) return row;
  RowSays says;
  try {
    says = read_row(file);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    row.fault = error.what();
    row.kind = ErrorKind::input_file;
    return row;
  }
  const Event* how = state.how_done(item);
  row.rung = says.rung ? *says.rung : how != nullptr ? how->rung : 0;
  const auto is_of = [&](int rung) {
    return rung >= 0 && rung < task.rungs() && !difference(says.job, job_text(item.task, rung));
  };
  if (!says.rung && !is_of(row.rung))
    for (int rung = task.rungs() - 1; rung >= 0; --rung)
      if (is_of(rung)) row.rung = rung;
  if (says.version != version()) {
    row.fault = fmt::format("{} was written by plaq {}, and this is plaq {}", file, says.version, version());
  } else if (row.rung < 0 || row.rung >= task.rungs()) {
    row.fault = fmt::format("{} came from rung {} of the ladder, which has {}", file, row.rung,
                            task.keys.ladder.size());
  } else if (const auto found = difference(says.job, job_text(item.task, row.rung))) {
    row.fault = fmt::format("'{}' in [{}] is {} in {} and {} in {}{}", found->key.key, found->key.table,
                            shown(found->first), file, shown(found->second), task.keys.job,
                            row.rung > 0 ? fmt::format(" with rung {} of the ladder", row.rung) : "");
  }
  return row;
}

const TaskRow& TaskRows::look(const CampaignState& state, const Item& item) {
  std::string now = state_of_file(row_file(campaign_, item));
  auto& [seen, row] = seen_[item];
  if (seen != now) {
    row = read(state, item);
    seen = std::move(now);
  }
  return row;
}

std::vector<Item> TaskRows::faulty(const CampaignState& state, int task) {
  std::vector<Item> found;
  if (!campaign_.tasks[static_cast<std::size_t>(task)].reads_fields) return found;
  for (const Item& item : state.items(task))
    if (state.done(item) && state.exclusion(item) == nullptr && !look(state, item).fault.empty())
      found.push_back(item);
  return found;
}

void TaskRows::expect_one_more(const CampaignState& state, int task) {
  for (const Item& item : state.items(task)) {
    if (!state.done(item) || state.exclusion(item) != nullptr || seen_.contains(item)) continue;
    if (!look(state, item).fault.empty()) expect_faultless(state, task);
    return;
  }
}

void TaskRows::expect_faultless(const CampaignState& state, int task) {
  const std::vector<Item> found = faulty(state, task);
  if (found.empty()) return;
  const TaskRow& row = look(state, found.front());
  const std::string& name = campaign_.tasks[static_cast<std::size_t>(task)].name;
  if (row.kind == ErrorKind::input_file)
    throw Error(row.kind, fmt::format("{}; remove this row, and its field is computed again", row.fault));
  throw Error(
      row.kind,
      fmt::format("{} rows of task {} do not go with new ones: {}; change this back, give the new job a "
                  "task of its own, or remove these rows, and their fields are computed again",
                  found.size(), name, row.fault));
}

}  // namespace plaq::jobs

// plaq campaign audit: computes some of what is done again, on other ranks or nodes, and compares every byte.
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/stop_request.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/byte_source.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/campaign_state.hpp"
#include "jobs/campaign/item_run.hpp"
#include "jobs/campaign/task_groups.hpp"
#include "jobs/campaign/task_rows.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/results/joined_rows.hpp"
#include "jobs/results/result_file.hpp"
#include "jobs/schema/job_types.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of(const std::string& text) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// An item, how it was done, and how it is done again.
struct Audited {
  std::string name, row, recomputed;  // the item and its results
  TaskJob job;
  std::vector<std::pair<std::string, std::string>> files;  // as they are, and as they come out again
};

// Objects in which the results differ; empty: none. The text of the job says where files go, which may
// differ. The row may have its rung beside.
std::string difference_of_results(const std::string& one, const std::string& other) {
  auto theirs = read_result_file(one, StoredValues::read).objects;
  const auto ours = read_result_file(other, StoredValues::read).objects;
  std::erase_if(theirs, [](const StoredObject& object) { return object.path == rung_column; });
  if (theirs.size() != ours.size()) return fmt::format("{} objects and {}", theirs.size(), ours.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const StoredObject &a = theirs[i], &b = ours[i];
    if (a.path != b.path) return fmt::format("{} and {}", a.path, b.path);
    if (a.extents != b.extents || a.values.has_value() != b.values.has_value() ||
        (a.values && !same_bits(*a.values, *b.values)))
      return "values of " + a.path;
    if (a.path != "/" && a.attributes != b.attributes) return "attributes of " + a.path;
  }
  return {};
}

// Files in which anything differs; empty: none. Serial.
std::string difference(const Audited& item) {
  if (const std::string found = difference_of_results(item.row, item.recomputed); !found.empty())
    return found;
  for (const auto& [theirs, ours] : item.files)
    if (!same_bytes(theirs, ours)) return theirs;
  return {};
}

class Audit {
 public:
  Audit(const Campaign& campaign, const CampaignAuditOptions& options)
      : campaign_(campaign), state_(campaign), rows_(campaign), options_(options) {
    for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
      const Task& task = campaign.tasks[static_cast<std::size_t>(t)];
      const bool wanted = options.tasks.empty() || std::find(options.tasks.begin(), options.tasks.end(),
                                                             task.name) != options.tasks.end();
      if (wanted && task.reads_fields) choose(t);
    }
  }
  const std::vector<Audited>& items() const { return items_; }

 private:
  void choose(int t) {
    std::vector<std::pair<std::uint64_t, Item>> done;
    for (const Item& item : state_.items(t))
      if (state_.done(item))
        done.emplace_back(hash_of(fmt::format("{} {}", options_.seed, item.configuration)), item);
    std::sort(done.begin(), done.end());
    done.resize(std::min(done.size(), static_cast<std::size_t>(options_.sample)));
    for (const auto& [unused, item] : done) items_.push_back(audited(item));
  }

  Audited audited(const Item& item) {
    const Task& task = campaign_.tasks[static_cast<std::size_t>(item.task)];
    const Configuration& configuration = *state_.find(item.configuration);
    const int rung = std::clamp(rows_.look(state_, item).rung, 0, task.rungs() - 1);
    const std::string directory = "work/audit/" + task.name;
    Audited audited{item_name(campaign_, item),
                    row_file(campaign_, item),
                    directory + '/' + item.configuration + ".h5",
                    {},
                    {}};
    const JobType& type = *find_job_type(task.job_type);
    JobFile::Overrides extra = {"output.overwrite=true"};
    if (type.written_directory != nullptr)
      extra.push_back(fmt::format("{}={}", type.written_directory, value_text(directory)));
    audited.job = campaign_.job(task, &configuration, rung, audited.recomputed, extra);
    if (type.written_files == nullptr) return audited;
    const std::string gauge = campaign_.gauge_file(task, configuration);
    const auto theirs =
        type.written_files(campaign_.job(task, &configuration, rung, audited.row).parse(), gauge);
    const auto ours = type.written_files(audited.job.parse(), gauge);
    for (std::size_t i = 0; i < std::min(theirs.size(), ours.size()); ++i)
      if (theirs[i] != ours[i]) audited.files.emplace_back(theirs[i], ours[i]);
    return audited;
  }

  const Campaign& campaign_;
  CampaignState state_;
  TaskRows rows_;
  const CampaignAuditOptions& options_;
  std::vector<Audited> items_;
};

nlohmann::ordered_json json_of(const Audited& item) {
  return {{"name", item.name},
          {"text", item.job.text},
          {"file", item.job.file},
          {"overrides", item.job.overrides}};
}

// Items to compute again, as rank 0 chose them, on every rank.
std::vector<std::pair<std::string, TaskJob>> from_first_rank(const std::vector<Audited>& items) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Audited& item : items) list.push_back(json_of(item));
  list = nlohmann::ordered_json::parse(broadcast(whole_world(), list.dump()));
  std::vector<std::pair<std::string, TaskJob>> jobs;
  for (const auto& one : list)
    jobs.emplace_back(one.at("name"),
                      TaskJob{one.at("text"), one.at("file"), one.at("overrides").get<JobFile::Overrides>()});
  return jobs;
}

std::string verdict(const Audited& item, const std::string& failure) {
  if (!failure.empty()) return failure;
  try {
    const std::string found = difference(item);
    return found.empty() ? "" : "DIFFERS: " + found;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

int audit_campaign(const CampaignAuditOptions& options) {
  const Campaign campaign = enter_campaign_together(options.directory);
  const Communicator all = whole_world();
  const int rank = all.rank();
  std::vector<Audited> items;
  on_first_rank([&] {
    items = Audit(campaign, options).items();
    for (const Task& task : campaign.tasks) make_directory("work/audit/" + task.name);
  });
  const auto jobs = from_first_rank(items);
  if (jobs.empty())
    throw Error(ErrorKind::usage,
                "campaign audit: these tasks have no complete item that could be computed again; run plaq "
                "campaign run first");
  const int ranks = options.ranks_per_task >= 0 ? options.ranks_per_task : campaign.workers.ranks_per_task;
  const TaskGroups group(ranks, where_tasks_run(campaign));
  FailureReporter reporter;
  const auto groups = static_cast<std::size_t>(group.count);
  const StopRequest stop;
  std::size_t differ = 0;
  for (std::size_t first = 0; first < jobs.size(); first += groups) {
    const std::size_t mine = first + static_cast<std::size_t>(group.number);
    const auto failures = gather_after(all, campaign.workers.watchdog, [&]() -> std::string {
      if (mine >= jobs.size()) return {};
      const ItemOutcome outcome = run_item(reporter, jobs[mine].second, "log/audit.log");
      return outcome.code == 0 ? "" : fmt::format("failed ({}): {}", outcome.code, outcome.message);
    });
    for (std::size_t i = first; rank == 0 && i < std::min(jobs.size(), first + groups); ++i) {
      const std::string found =
          verdict(items[i], failures[(i - first) * static_cast<std::size_t>(group.size)]);
      if (!found.empty()) ++differ;
      print_whole(
          [&] { print_safely("{:<28} {}\n", items[i].name, found.empty() ? "the same bytes" : found); });
    }
    if (const int signal = stop.anywhere(all); signal != 0 && first + groups < jobs.size())
      throw_stopped(signal, "the audit is not complete");
  }
  const int code = differ > 0 ? exit_code(ErrorKind::internal) : 0;
  if (rank == 0) {
    std::error_code ignored;
    if (differ == 0) fs::remove_all("work/audit", ignored);
    print_whole([&] {
      print_safely("{} of {} come out the same{}\n", jobs.size() - differ, jobs.size(),
                   differ > 0 ? "; what came out otherwise is in work/audit" : "");
    });
  }
  return all.broadcast(code);
}

}  // namespace plaq::jobs

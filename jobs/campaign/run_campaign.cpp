// plaq campaign run: workers, each a group of ranks, until nothing is left that they could do.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include <optional>
#include <thread>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/heartbeat.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/stop_request.hpp"
#include "comms/communicator/world.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/task_groups.hpp"
#include "jobs/campaign/task_rows.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/common/failure.hpp"
#include "jobs/common/path_registry.hpp"

namespace plaq::jobs {
namespace {

constexpr auto patience = std::chrono::milliseconds(500);  // between two looks for work

// Message of the leader of a group to its other ranks.
struct Order {
  Worker::Next what = Worker::Next::ends;
  TaskJob job;
  std::string log;
  int code = 0;
};

std::string text_of(const Order& order) {
  return nlohmann::ordered_json{
      {"what", static_cast<int>(order.what)}, {"text", order.job.text}, {"file", order.job.file},
      {"overrides", order.job.overrides},     {"log", order.log},       {"code", order.code},
      {"owns_output", order.job.owns_output}}
      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Order order_of(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text);
  return {static_cast<Worker::Next>(json.at("what").get<int>()),
          {json.at("text"), json.at("file"), json.at("overrides").get<JobFile::Overrides>(),
           json.at("owns_output")},
          json.at("log"),
          json.at("code")};
}

// Time at which the batch system ends this program: seconds since 1970.
std::optional<double> end_of_time(double seconds) {
  if (seconds > 0) return now_seconds() + seconds;
  if (const char* end = std::getenv("SLURM_JOB_END_TIME"))
    if (const double at = std::atof(end); at > 0) return at;
  return std::nullopt;
}

Order next_order(Worker& worker, const StopRequest& stop) {
  if (const int signal = stop.here()) {
    log::warning(fmt::format("{}: no further item is started", name_of_signal(signal)));
    return {Worker::Next::ends, {}, {}, exit_code(ErrorKind::stopped)};
  }
  const Worker::Next next = worker.next();
  if (next == Worker::Next::item) return {next, worker.job(), worker.job_log(), 0};
  return {next, {}, {}, worker.code()};
}

// An Error of the leader alone ends the group.
Order order_by(Worker& worker, const std::optional<ItemOutcome>& outcome, const StopRequest& stop) {
  try {
    if (outcome) worker.finish(*outcome);
    const Order order = next_order(worker, stop);
    if (order.what == Worker::Next::ends) worker.end();
    return order;
  } catch (...) {
    const Failure failure = current_failure();
    log::error(failure.message);
    return {Worker::Next::ends, {}, {}, failure.code};
  }
}

int work(const Campaign& campaign, const TaskGroups& group, FailureReporter& reporter,
         const CampaignRunOptions& options) {
  const StopRequest stop;
  std::optional<Worker> worker;
  if (group.leads) {
    WorkerSettings settings;
    settings.name = new_worker_name();
    settings.ranks = group.size;
    settings.nodes = group.nodes;
    settings.ends_at = end_of_time(options.seconds);
    settings.tasks.insert(options.tasks.begin(), options.tasks.end());
    worker.emplace(campaign, std::move(settings));
  }
  std::optional<ItemOutcome> outcome;  // of the last item
  while (true) {
    Order order;
    {
      const Watchdog watchdog(campaign.workers.watchdog, end_all_ranks);  // an item has that of its job
      if (worker) order = order_by(*worker, outcome, stop);
      order = order_of(group.tell(text_of(order)));
    }
    outcome.reset();
    if (order.what == Worker::Next::ends) return order.code;
    if (order.what == Worker::Next::waits)
      std::this_thread::sleep_for(patience);
    else
      outcome = run_item(reporter, order.job, order.log);
  }
}

void expect_tasks(const Campaign& campaign, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (campaign.find(name) < 0)
      throw Error(ErrorKind::usage,
                  fmt::format("campaign: there is no task '{}' in {}", name, campaign_file));
}

// Before anything is computed: rows that are there are of the jobs that would be done now.
void expect_own_rows(const Campaign& campaign, const std::vector<std::string>& names) {
  const CampaignState state(campaign);
  TaskRows rows(campaign);
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t)
    if (names.empty() || std::find(names.begin(), names.end(),
                                   campaign.tasks[static_cast<std::size_t>(t)].name) != names.end())
      rows.expect_faultless(state, t);
}

}  // namespace

int run_campaign(const CampaignRunOptions& options) {
  const Campaign campaign = enter_campaign_together(options.directory);
  std::optional<Watchdog> watchdog(std::in_place, campaign.workers.watchdog, end_all_ranks);
  expect_tasks(campaign, options.tasks);
  on_first_rank([&] { expect_own_rows(campaign, options.tasks); });
  const int ranks = options.ranks_per_task >= 0 ? options.ranks_per_task : campaign.workers.ranks_per_task;
  make_directory("log");
  const TaskGroups group(ranks, where_tasks_run(campaign));
  FailureReporter reporter;
  Heartbeat heartbeat(whole_world());
  watchdog.reset();
  const int code = work(campaign, group, reporter, options);
  watchdog.emplace(campaign.workers.watchdog, end_all_ranks);
  heartbeat.meet(nullptr);  // the last item of another group may take hours
  return code;
}

}  // namespace plaq::jobs

// plaq campaign check: reads every gauge field once.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/stop_request.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/progress.hpp"
#include "core/system/timer.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/inventory.hpp"
#include "jobs/campaign/item_run.hpp"
#include "jobs/campaign/task_groups.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {
namespace {

constexpr double between_saves = 30;  // seconds

const Task& task_that_reads(const Campaign& campaign) {
  for (const Task& task : campaign.tasks)
    if (task.reads_fields && !task.gauge_task) return task;
  throw Error(ErrorKind::usage, "campaign: check: no task reads the gauge fields of the ensemble");
}

// Collective over a group.
void look_at(const JobFile& job, FieldRecord& record) {
  const Extents extents = extents_from_first_rank([&] { return inspect_gauge_file(record.file).extents; });
  const JobContext context = start_job(job, extents);
  const LoadedGauge gauge = load_gauge(context, record.file);
  record.format = name_of(gauge.report.info.format);
  record.checksum = gauge.report.checksum.text();
  if (gauge.report.stale_checksum) record.stated_checksum = gauge.report.info.checksum->text();
  record.extents.assign(extents.begin(), extents.end());
  const GaugeObservables& found = gauge.observables;
  record.plaquette = found.plaquette.all;
  record.plaquette_spatial = found.plaquette.spatial;
  record.plaquette_temporal = found.plaquette.temporal;
  record.link_trace = found.link_trace;
  record.polyakov_loop[0] = found.polyakov_loop.real();
  record.polyakov_loop[1] = found.polyakov_loop.imag();
  record.unitarity_violation = gauge.report.unitarity_violation;
}

class Checking {
 public:
  Checking(const Campaign& campaign, const TaskGroups& group, bool again)
      : campaign_(campaign), group_(group) {
    configurations_ = configurations_of_first_rank();
    if (configurations_.empty()) throw Error(ErrorKind::input_file, campaign.nothing_found());
    if (rank_ == 0 && !again)
      for (FieldRecord& record : read_inventory()) known_.emplace(record.name, std::move(record));
  }

  // The exit code.
  int run() {
    const std::vector<std::size_t> open = open_fields();
    Progress progress("reading gauge fields", static_cast<double>(std::max<std::size_t>(1, open.size())),
                      Progress::Settings::standard(rank_));
    const StopRequest stop;
    const auto groups = static_cast<std::size_t>(group_.count);
    for (std::size_t first = 0; first < open.size(); first += groups) {
      const std::size_t mine = first + static_cast<std::size_t>(group_.number);
      collect(gather_after(all_, campaign_.workers.watchdog, [&] {
        return mine < open.size() ? read(configurations_[open[mine]]) : std::string();
      }));
      progress.advance(static_cast<double>(std::min(groups, open.size() - first)));
      if (const int signal = stop.anywhere(all_); signal != 0 && first + groups < open.size()) {
        if (rank_ == 0) write_inventory(records());
        throw_stopped(signal, fmt::format("what is read so far is in {}", inventory_file));
      }
    }
    progress.finish();
    return finish();
  }

 private:
  // Others might find one more: fields may come meanwhile.
  std::vector<Configuration> configurations_of_first_rank() const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    if (rank_ == 0)
      for (const Configuration& one : campaign_.configurations())
        list.push_back(
            {one.name, one.file, one.numbers.trajectory.value_or(-1), one.numbers.replica.value_or(-1)});
    list = nlohmann::ordered_json::parse(broadcast(all_, list.dump()));
    std::vector<Configuration> all;
    for (const auto& one : list) {
      const auto number = [&](std::size_t i) {
        const auto value = one.at(i).get<std::int64_t>();
        return value < 0 ? std::nullopt : std::optional(value);
      };
      all.push_back({one.at(0), one.at(1), {number(2), number(3)}});
    }
    return all;
  }

  // Fields that rank 0 does not know in their present state; the same list on all ranks.
  std::vector<std::size_t> open_fields() const {
    std::string text;
    for (std::size_t i = 0; rank_ == 0 && i < configurations_.size(); ++i) {
      const FieldRecord now = record_of_file(configurations_[i]);
      const auto at = known_.find(now.name);
      const bool same = at != known_.end() && at->second.file == now.file && at->second.bytes == now.bytes &&
                        at->second.modified == now.modified && at->second.problem.empty();
      text += same ? '0' : '1';
    }
    text = broadcast(all_, text);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '1') open.push_back(i);
    return open;
  }

  std::string read(const Configuration& configuration) {
    FieldRecord record = record_of_file(configuration);
    const ItemOutcome outcome = run_quietly(reporter_, [&] {
      look_at(campaign_.job(task_that_reads(campaign_), &configuration, 0, "x").parse(), record);
      return 0;
    });
    if (outcome.code != 0) record.problem = outcome.message;
    return group_.leads
               ? json_of(record).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
               : std::string();
  }

  void collect(const std::vector<std::string>& read) {
    for (const std::string& text : read) {
      if (text.empty()) continue;
      FieldRecord one = field_record(nlohmann::ordered_json::parse(text));
      known_[one.name] = one;
    }
    if (rank_ != 0 || saved_.seconds() < between_saves) return;
    write_inventory(records());
    saved_ = Timer();
  }

  // Records of the fields that are there, in order.
  std::vector<FieldRecord> records() const {
    std::vector<FieldRecord> records;
    for (const Configuration& configuration : configurations_)
      if (const auto at = known_.find(configuration.name); at != known_.end()) records.push_back(at->second);
    return records;
  }

  int finish() const {
    int code = 0;
    if (rank_ == 0) {
      const auto fields = records();
      const InventoryFindings findings = findings_of(fields);
      write_inventory(fields);
      const std::string text = text_of(fields, findings);
      print_whole([&] { print_safely(text); });
      if (!findings.bad.empty()) code = exit_code(ErrorKind::input_file);
    }
    return all_.broadcast(code);
  }

  const Campaign& campaign_;
  const TaskGroups& group_;
  FailureReporter reporter_;
  const Communicator all_ = whole_world();
  std::vector<Configuration> configurations_;
  std::map<std::string, FieldRecord> known_;  // on rank 0
  const int rank_ = all_.rank();
  Timer saved_;
};

}  // namespace

int check_campaign(const CampaignCheckOptions& options) {
  const Campaign campaign = enter_campaign_together(options.directory);
  task_that_reads(campaign);
  const int ranks = options.ranks_per_task >= 0 ? options.ranks_per_task : campaign.workers.ranks_per_task;
  const TaskGroups group(ranks, where_tasks_run(campaign));
  return Checking(campaign, group, options.again).run();
}

}  // namespace plaq::jobs

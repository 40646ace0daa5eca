// plaq campaign report: all of a campaign in one page. What it is, this says as JSON; plaq.report draws it.
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <string>

#include "core/system/machine.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/inventory.hpp"
#include "jobs/campaign/overview.hpp"
#include "jobs/campaign/task_results.hpp"
#include "jobs/campaign/user_requests.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/python/python_package.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* report_data = "work/report.json";

const char* name_of(ItemStatus status) {
  switch (status) {
    case ItemStatus::done:
      return "done";
    case ItemStatus::excluded:
      return "left out";
    case ItemStatus::waits:
      return "waits";
    case ItemStatus::ready:
      return "open";
  }
  return "";
}

// An item: task, configuration, status; of one that is done also seconds, null
// where no log has them, node and rung.
Json row_of(const CampaignState& state, TaskRows& rows, const Item& item) {
  const bool left_out = state.exclusion(item) != nullptr;
  Json row = {item.task, item.configuration, left_out ? "left out" : name_of(state.status(item))};
  if (!state.done(item)) return row;
  const Event* how = state.how_done(item);
  row.push_back(how != nullptr ? Json(how->seconds) : Json());
  row.push_back(how != nullptr ? how->node : "");
  row.push_back(rows.look(state, item).rung);
  return row;
}

Json json_of(const Campaign& campaign, const CampaignState& state) {
  TaskRows rows(campaign);
  Json json = {{"made", time_text(now_seconds())},
               {"directory", fs::current_path().filename().string()},
               {"plaq_version", version()},
               {"campaign", JobFile::read_text(campaign_file)},
               {"overview", json_of(overview_of(campaign, state, rows))},
               {"tasks", Json::array()},
               {"items", Json::array()},
               {"left_out", Json::array()},
               {"inventory", fs::exists(inventory_file) ? inventory_file : ""}};
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    const Task& task = campaign.tasks[static_cast<std::size_t>(t)];
    json["tasks"].push_back({{"name", task.name},
                             {"type", task.job_type},
                             {"file", task.keys.job},
                             {"job", task.job_text},
                             {"results", fs::exists(results_file(task)) ? results_file(task) : ""},
                             {"with_left_out", ""}});
    for (const Item& item : state.items(t)) json["items"].push_back(row_of(state, rows, item));
  }
  for (const Exclusion& one : state.exclusions())
    json["left_out"].push_back({{"task", one.task},
                                {"configuration", one.configuration},
                                {"reason", one.reason},
                                {"message", one.message},
                                {"by", one.by},
                                {"when", one.when}});
  return json;
}

}  // namespace

int report_campaign(const CampaignReportOptions& options) {
  const std::string output = fs::absolute(options.output).lexically_normal().string();
  const Campaign campaign = enter_campaign(options.directory);
  make_campaign_directories(campaign);
  const CampaignState state(campaign);
  std::vector<std::string>
      with_left_out;  // of each task: its results with rows that are left out; empty: none are
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    refresh_results(campaign, state, t, {user_log});
    with_left_out.push_back(write_results_with_left_out(campaign, state, t, "work"));
  }
  Json json = json_of(campaign, state);
  for (std::size_t t = 0; t < with_left_out.size(); ++t) json["tasks"][t]["with_left_out"] = with_left_out[t];
  write_atomically(report_data, json.dump(-1, ' ', false, Json::error_handler_t::replace), true);
  return run_report(report_data, output);
}

}  // namespace plaq::jobs

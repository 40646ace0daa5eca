// plaq campaign status, snapshot: how far it is, and what is found so far.
#include <fmt/format.h>

#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/system/error.hpp"
#include "jobs/campaign/campaign.hpp"
#include "jobs/campaign/campaign_options.hpp"
#include "jobs/campaign/overview.hpp"
#include "jobs/campaign/task_results.hpp"
#include "jobs/campaign/user_requests.hpp"
#include "jobs/campaign/worker.hpp"
#include "jobs/common/terminal_text.hpp"

namespace plaq::jobs {
namespace {

constexpr auto between_screens = std::chrono::seconds(2);
constexpr const char* clear_screen = "\033[H\033[2J";

void print(const std::string& text) {
  print_whole([&] { print_safely(text); });
}

bool all_is_done(const Overview& all) {
  for (const TaskOverview& task : all.tasks)
    if (task.left() > 0) return false;
  return true;
}

}  // namespace

int show_campaign(const CampaignStatusOptions& options) {
  const Campaign campaign = enter_campaign(options.directory);
  CampaignState state(campaign);
  TaskRows rows(campaign);
  while (true) {
    const Overview all = overview_of(campaign, state, rows);
    const std::string text = options.json ? json_of(all).dump(options.watch ? -1 : 2) + '\n'
                                          : time_text(now_seconds()) + ": " + text_of(all);
    print(options.watch && !options.json && ::isatty(STDOUT_FILENO) != 0 ? clear_screen + text : text);
    if (!options.watch || all_is_done(all)) return 0;
    std::this_thread::sleep_for(between_screens);
    state.refresh();
  }
}

int snapshot_campaign(const CampaignSnapshotOptions& options) {
  const Campaign campaign = enter_campaign(options.directory);
  make_campaign_directories(campaign);
  const CampaignState state(campaign);
  for (const std::string& name : options.tasks)
    if (campaign.find(name) < 0)
      throw Error(ErrorKind::usage,
                  fmt::format("campaign: there is no task '{}' in {}", name, campaign_file));
  std::string text;
  for (int t = 0; t < static_cast<int>(campaign.tasks.size()); ++t) {
    const Task& task = campaign.tasks[static_cast<std::size_t>(t)];
    const bool wanted = options.tasks.empty() || std::find(options.tasks.begin(), options.tasks.end(),
                                                           task.name) != options.tasks.end();
    if (!wanted || !task.reads_fields) continue;
    const std::size_t rows = write_results(campaign, state, t, {user_log});
    text += rows == 0 ? fmt::format("{}: nothing is done yet\n", task.name)
                      : fmt::format("{}: {} of {} gauge fields in {}\n", task.name, rows,
                                    state.items(t).size(), results_file(task));
  }
  print(text);
  return 0;
}

}  // namespace plaq::jobs

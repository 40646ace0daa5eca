#include "jobs/campaign/campaign.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/error.hpp"
#include "jobs/common/failure.hpp"

namespace plaq::jobs {
namespace {

void go_to(const std::string& directory) {
  std::error_code failure;
  std::filesystem::current_path(directory, failure);
  if (failure) throw Error(ErrorKind::usage, fmt::format("campaign: {}: {}", directory, failure.message()));
  if (!std::filesystem::exists(campaign_file))
    throw Error(ErrorKind::usage, fmt::format("campaign: {} has no {}; plaq campaign init {} makes one",
                                              directory, campaign_file, directory));
}

}  // namespace

Campaign enter_campaign(const std::string& directory) {
  go_to(directory);
  return Campaign::read();
}

Campaign enter_campaign_together(const std::string& directory) {
  const Watchdog watchdog(usual_watchdog, end_all_ranks);  // campaign.toml is yet to say how long they wait
  bool is_there = false;
  on_first_rank([&] {
    go_to(directory);
    is_there = true;
    Campaign::read();
  });
  if (!is_there) go_to(directory);
  return Campaign::read();
}

}  // namespace plaq::jobs

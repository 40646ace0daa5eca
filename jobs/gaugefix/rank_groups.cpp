#include "jobs/gaugefix/rank_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/heartbeat.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace plaq::jobs {
namespace {

constexpr std::int64_t most_sites = std::int64_t{1} << 20;  // of a rank, where it is not to be split further

}  // namespace

RankGroups::RankGroups(const Communicator& all, int count) : all_(all), count_(count) {
  const int rank = all.rank(), ranks = runs_dry() ? count : all.size();  // dry: of each group the first
  require(count > 0 && ranks % count == 0, "groups of ranks have one size");
  const int size = ranks / count;
  mine_ = rank / size;
  leads_ = rank % size == 0;
  comm_ = all.split(mine_, rank);
}

void RankGroups::each(const std::function<void()>& work) const {
  if (count_ == 1) return work();
  Heartbeat heartbeat(all_);
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  heartbeat.meet(failure);
  all_or_none(all_, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

int groups_of(const Settings& job, const Extents& extents, int ranks) {
  const auto keys = job.get<CopyKeys>();
  if (keys.groups > 0) {
    if (ranks % keys.groups != 0)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'groups' in [fixing]: {} ranks do not make {} groups of equal size",
                              job.origin(), ranks, keys.groups));
    return keys.groups;
  }
  if (job.get<CommsKeys>().process_grid) return 1;
  std::int64_t volume = 1;
  for (const int extent : extents) volume *= extent;
  int groups = 1;
  for (int n = 1; n <= std::min(ranks, keys.copies); ++n)
    if (ranks % n == 0 && volume / (ranks / n) <= most_sites) groups = n;
  return groups;
}

}  // namespace plaq::jobs

#include "jobs/gaugefix/rank_groups.hpp"

#include <exception>

#include "comms/grid/collective.hpp"
#include "comms/watchdog/heartbeat.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq::jobs {

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

}  // namespace plaq::jobs

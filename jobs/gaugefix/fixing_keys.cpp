#include "jobs/gaugefix/fixing_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

constexpr std::int64_t most_sites = std::int64_t{1} << 20;  // of a rank, where it is not to be split further

}  // namespace

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

#include "jobs/gaugefix/fixing_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

constexpr std::int64_t most_sites = std::int64_t{1} << 20;  // of a rank, where it is not to be split further
constexpr std::int64_t filling_sites = std::int64_t{1} << 20;  // with fewer a GPU is not busy

}  // namespace

const Names<Gauge>& gauge_names() {
  static const Names<Gauge> names = {{"landau", Gauge::landau},
                                     {"coulomb", Gauge::coulomb},
                                     {"maximally_abelian", Gauge::maximally_abelian}};
  return names;
}

const char* name_of(Gauge gauge) {
  switch (gauge) {
    case Gauge::landau:
      return "Landau";
    case Gauge::coulomb:
      return "Coulomb";
    default:
      return "maximally Abelian";
  }
}

int groups_of(const JobFile& job, const Extents& extents, int ranks) {
  const auto keys = job.get<CopyKeys>();
  if (keys.groups > 0) {
    if (ranks % keys.groups != 0)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'groups' in [fixing]: {} ranks do not make {} groups of equal size",
                              job.file(), ranks, keys.groups));
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

int copies_at_once(const CopyKeys& keys, std::int64_t local_volume, Location location) {
  if (keys.at_once > 0) return keys.at_once;
  if (location == Location::host) return 1;
  return static_cast<int>(
      std::clamp<std::int64_t>(filling_sites / local_volume, 1, std::min(64, keys.copies)));
}

}  // namespace plaq::jobs

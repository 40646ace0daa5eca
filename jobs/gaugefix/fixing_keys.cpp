#include "jobs/gaugefix/fixing_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr std::int64_t most_sites = std::int64_t{1} << 20;  // of a rank, where it is not to be split further
constexpr std::int64_t filling_sites = std::int64_t{1} << 20;  // with fewer a GPU is not busy

Gauge gauge_of(const JobFile& job) {
  const std::string& name = job.string("fixing", "gauge");
  return name == "landau" ? Gauge::landau : name == "coulomb" ? Gauge::coulomb : Gauge::maximally_abelian;
}

}  // namespace

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

FixingSettings fixing_settings(const JobFile& job) {
  const auto count = [&](const char* table, const char* key) {
    return static_cast<int>(job.integer(table, key));
  };
  FixingSettings s;
  s.gauge = gauge_of(job);
  s.theta = job.real("fixing", "theta");
  const std::string& precision = job.string("fixing", "precision");
  s.precision = precision == "single"  ? FixingPrecision::single
                : precision == "mixed" ? FixingPrecision::mixed
                                       : FixingPrecision::full;
  s.from_links = job.string("fixing", "start") == "links";
  s.seed = static_cast<std::uint64_t>(job.integer("fixing", "seed"));
  s.measure_every = count("fixing", "measure_every");
  s.reproject_every = count("fixing", "reproject_every");
  s.annealing = {count("annealing", "steps"), job.real("annealing", "hottest"),
                 job.real("annealing", "coldest"), count("annealing", "microcanonical")};
  s.stochastic_sweeps = count("stochastic", "sweeps");
  s.stochastic_probability = job.real("stochastic", "probability");
  s.in_subgroups = job.string("overrelaxation", "method") == "subgroups";
  s.omega = job.optional_real("overrelaxation", "omega");
  s.max_sweeps = count("overrelaxation", "max_sweeps");
  s.patience = count("overrelaxation", "patience");
  s.restarts = count("overrelaxation", "restarts");
  return s;
}

int copies_of(const JobFile& job) { return static_cast<int>(job.integer("fixing", "copies")); }

int groups_of(const JobFile& job, const Extents& extents, int ranks) {
  const auto asked = static_cast<int>(job.integer("fixing", "groups"));
  if (asked > 0) {
    if (ranks % asked != 0)
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: 'groups' in [fixing]: {} ranks do not make {} groups of equal size",
                              job.file(), ranks, asked));
    return asked;
  }
  if (job.has("comms", "process_grid")) return 1;
  std::int64_t volume = 1;
  for (const int extent : extents) volume *= extent;
  int groups = 1;
  for (int n = 1; n <= std::min(ranks, copies_of(job)); ++n)
    if (ranks % n == 0 && volume / (ranks / n) <= most_sites) groups = n;
  return groups;
}

int copies_at_once(const JobFile& job, std::int64_t local_volume, Location location) {
  const auto asked = static_cast<int>(job.integer("fixing", "at_once"));
  if (asked > 0) return asked;
  if (location == Location::host) return 1;
  return static_cast<int>(
      std::clamp<std::int64_t>(filling_sites / local_volume, 1, std::min(64, copies_of(job))));
}

}  // namespace plaq::jobs

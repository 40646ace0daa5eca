#include "jobs/scaling/scaled_fixing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "gaugefix/run/sweep_work.hpp"
#include "jobs/scaling/field_checksum.hpp"

namespace plaq::jobs {
namespace {

constexpr double omega = 1.7;
constexpr int checked_sweeps = 20;
constexpr std::uint64_t start_seed = 4;

void sweep(GaugeFixer& fixer, std::string_view key) {
  if (key == "gauge_fixing") return fixer.sweep(GroupOverrelaxationStep{omega});
  require(key == "gauge_fixing_su2", "no such sweep in scaling studies");
  fixer.sweep(RelaxationStep::overrelaxation(omega));
}

// All fixers copy their links from it: on a GPU it comes from the host once.
Field links_at_hand(const RateProblem& p) {
  Field links(p.gauge.geometry_ptr(), gauge_spec(Precision::double_precision, p.queue.location()));
  copy(links, p.gauge);
  return links;
}

// Of each copy.
std::vector<double> functionals_after(GaugeFixer& fixer, std::string_view key) {
  fixer.start_at_random(start_seed);
  for (int n = 0; n < checked_sweeps; ++n) sweep(fixer, key);
  std::vector<double> functionals;
  for (const GaugeQuality& quality : fixer.quality()) functionals.push_back(quality.functional);
  return functionals;
}

double bound_of(FixingPrecision precision) {
  return precision == FixingPrecision::full ? 1e-12 : precision == FixingPrecision::mixed ? 2e-6 : 2e-5;
}

// The largest of all copies.
double difference_of(const std::vector<double>& found, const std::vector<double>& expected) {
  double worst = 0;
  for (std::size_t k = 0; k < found.size() && !runs_dry(); ++k) {
    const double off = std::abs(found[k] / expected[k] - 1);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}

}  // namespace

FixingPrecision fixing_precision(const ScaledStorage& storage) {
  require(storage.fixes_gauge(), "a scaling study of gauge fixing in a storage that it has not");
  if (storage.mixed) return FixingPrecision::mixed;
  return storage.precision == Precision::double_precision ? FixingPrecision::full : FixingPrecision::single;
}

std::vector<ScaledTimes> measure_gauge_fixing(const PointProblem& p, std::string_view key,
                                              const std::vector<ScaledStorage>& storages, int copies) {
  const RateProblem& rates = p.rates;
  const ProcessGrid& grid = rates.grid;
  const auto sites = static_cast<double>(rates.gauge.geometry().local_volume());
  std::optional<Field> uploaded;
  if (rates.queue.location() == Location::device) uploaded = links_at_hand(rates);
  const Field& links = uploaded ? *uploaded : rates.gauge;
  const auto make_fixer = [&](FixingPrecision precision) {
    return GaugeFixer(grid, links, Gauge::landau, precision, copies, rates.queue, rates.transport);
  };
  std::vector<double> expected;
  {
    GaugeFixer exact = make_fixer(FixingPrecision::full);
    expected = functionals_after(exact, key);
  }
  std::vector<ScaledTimes> all;
  for (const ScaledStorage& storage : storages) {
    const FixingPrecision precision = fixing_precision(storage);
    const TapeLabel label(name_of(storage));
    GaugeFixer fixer = make_fixer(precision);
    ScaledTimes times;
    times.difference = difference_of(functionals_after(fixer, key), expected);
    rates.expect_intact_faces();
    if (!(times.difference <= bound_of(precision)))
      throw Error(ErrorKind::internal,
                  fmt::format("the functional of {} in {} is off by {:.2e} after {} sweeps", key,
                              name_of(storage), times.difference, checked_sweeps));
    times.checksum = field_checksum(grid, fixer.rows());
    const auto apply = [&] { sweep(fixer, key); };
    times.samples = measure(grid.comm(), rates.queue, rates.samples, [&](const Queue&) { apply(); });
    times.work = sweep_work(Gauge::landau, precision, copies * sites);
    times.exchange = exchange_times(grid, fixer.schedule(), fixer.halo(), apply);
    if (fixer.halo().exchanges()) {
      times.exchanges = 2;
      times.bytes_sent = times.exchanges * static_cast<double>(fixer.halo().bytes_sent());
    }
    all.push_back(times);
  }
  return all;
}

}  // namespace plaq::jobs

#include "jobs/bench/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "jobs/bench/exchange_times.hpp"
#include "jobs/rates/field_checks.hpp"

namespace plaq::jobs {
namespace {

constexpr double omega = 1.7;
constexpr std::uint32_t checked_updates = 20;
constexpr std::uint64_t start_seed = 4;

// All fixers copy their links from it: on a GPU it comes from the host once.
Field links_at_hand(const RateProblem& p) {
  Field links(p.gauge.geometry_ptr(), gauge_spec(Precision::double_precision, p.queue.location()));
  copy(links, p.gauge);
  return links;
}

// Functionals of each copy.
std::vector<double> functionals_after(GaugeFixer& fixer, const GaugeUpdate& update) {
  fixer.start_at_random(start_seed);
  for (std::uint32_t n = 0; n < checked_updates; ++n) update.run(fixer, n);
  std::vector<double> functionals;
  for (const GaugeQuality& quality : fixer.quality()) functionals.push_back(quality.functional);
  return functionals;
}

// The largest difference of all copies; functionals are 1 at most.
double difference_of(const std::vector<double>& found, const std::vector<double>& expected) {
  double worst = 0;
  for (std::size_t k = 0; k < found.size() && !runs_dry(); ++k) {
    const double off = std::abs(found[k] - expected[k]);
    if (!(off <= worst)) worst = off;
  }
  return worst;
}

// Double precision is held against itself. Of what is drawn the functional is the same within its
// fluctuation: each link's has a variance below 1/18, so that this is eight standard deviations or more.
double allowed_difference_of(const GaugeUpdate& update, FixingPrecision precision, const Geometry& geometry) {
  if (update.drawn) return 1 / std::sqrt(static_cast<double>(geometry.global_volume()));
  return precision == FixingPrecision::full ? 0 : precision == FixingPrecision::mixed ? 1e-6 : 1e-5;
}

}  // namespace

const std::vector<GaugeUpdate>& gauge_updates() {
  const auto heatbath = [](GaugeFixer& f, std::uint32_t n) { f.sweep(HeatbathStep{1.5, 12, n}); };
  const auto reflection = [](GaugeFixer& f, std::uint32_t) { f.sweep(RelaxationStep::microcanonical()); };
  static const std::vector<GaugeUpdate> all = {
      {"overrelaxation", "gauge_fixing_su2",
       [](GaugeFixer& f, std::uint32_t) { f.sweep(RelaxationStep::overrelaxation(omega)); }},
      {"group_overrelaxation", "gauge_fixing",
       [](GaugeFixer& f, std::uint32_t) { f.sweep(GroupOverrelaxationStep{omega}); }},
      {"stochastic", "",
       [](GaugeFixer& f, std::uint32_t n) { f.sweep(RelaxationStep::stochastic(0.8, 12, n)); }, 1, true},
      {"microcanonical", "", reflection},
      {"heatbath", "", heatbath, 1, true},
      {"annealing", "",  // the usual step
       [=](GaugeFixer& f, std::uint32_t n) {
         heatbath(f, n);
         for (int k = 0; k < 3; ++k) reflection(f, n);
       },
       4, true}};
  return all;
}

const GaugeUpdate& gauge_update(std::string_view key) {
  const auto& all = gauge_updates();
  const auto at = std::find_if(all.begin(), all.end(), [&](const GaugeUpdate& u) { return u.key == key; });
  require(at != all.end(), "no update of gauge fixing is that target");
  return *at;
}

FixingPrecision fixing_precision(const StudyStorage& storage) {
  if (storage.mixed) return FixingPrecision::mixed;
  return storage.precision == Precision::double_precision ? FixingPrecision::full : FixingPrecision::single;
}

void measure_sweeps(Bench& bench, const std::string& name, const RateProblem& rates, Gauge gauge,
                    const GaugeUpdate& update, const std::vector<StudyStorage>& storages, int copies) {
  const ProcessGrid& grid = rates.grid;
  const Geometry& geometry = rates.gauge.geometry();
  std::optional<Field> uploaded;
  if (rates.queue.location() == Location::device) uploaded = links_at_hand(rates);
  const Field& links = uploaded ? *uploaded : rates.gauge;
  const auto make_fixer = [&](FixingPrecision precision) {
    return GaugeFixer(grid, links, gauge, precision, copies, rates.queue, rates.transport);
  };
  std::vector<double> expected;
  {
    GaugeFixer exact = make_fixer(FixingPrecision::full);
    expected = functionals_after(exact, update);
  }
  for (const StudyStorage& storage : storages) {
    const FixingPrecision precision = fixing_precision(storage);
    const RegionLabel label(name_of(storage));
    GaugeFixer fixer = make_fixer(precision);
    const double difference = difference_of(functionals_after(fixer, update), expected);
    rates.expect_intact_faces();
    if (!(difference <= allowed_difference_of(update, precision, geometry)))
      throw Error(ErrorKind::internal,
                  fmt::format("the functional of {} in {} is off by {:.2e} after {} updates", update.name,
                              name_of(storage), difference, checked_updates));
    const bool closer = bench.asked.looks_closer;
    const std::uint64_t checksum = closer ? field_checksum(grid, fixer.rows()) : 0;
    std::uint32_t number = checked_updates;  // what is drawn is new
    const auto apply = [&] { update.run(fixer, number++); };
    const Samples samples = measure(grid.comm(), rates.queue, rates.samples, [&](const Queue&) { apply(); });
    const double sites = 1.0 * update.sweeps * copies * static_cast<double>(geometry.local_volume());
    Row& row =
        bench.add(name, storage, copies, samples, sweep_work(gauge, precision, sites),
                  precision == FixingPrecision::full ? "the others' reference" : difference_text(difference));
    row.error = difference;
    row.checksum = static_cast<std::int64_t>(checksum);
    if (!closer) continue;
    const Halo& halo = fixer.halo();
    set_exchange(row, exchange_times(grid, fixer.schedule(), fixer.halo(), apply),
                 halo.exchanges() ? 2 * update.sweeps : 0,
                 halo.exchanges() ? static_cast<double>(halo.bytes_sent()) : 0);
  }
}

}  // namespace plaq::jobs

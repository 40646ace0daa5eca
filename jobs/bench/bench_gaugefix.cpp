// Updates of gauge fixing: of all sites, once. Flops and bytes: gaugefix/run/sweep_work.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/system/error.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "gaugefix/run/sweep_work.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/rates/random_fields.hpp"

namespace plaq::jobs {
namespace {

struct Case {
  Gauge gauge;
  const char* name;
};
constexpr Case cases[] = {
    {Gauge::landau, "landau"}, {Gauge::coulomb, "coulomb"}, {Gauge::maximally_abelian, "maximally_abelian"}};

struct Kind {
  FixingPrecision precision;
  const char* name;
  Precision of_links;
  double bound;  // of the functional, against double
};
constexpr Kind kinds[] = {
    {FixingPrecision::single, "single", Precision::single_precision, 1e-5},
    {FixingPrecision::mixed, "mixed", Precision::single_precision, 1e-6},
    {FixingPrecision::full, "double", Precision::double_precision, 0}};  // held against itself

// Number n of an update.
void heatbath(GaugeFixer& fixer, std::uint32_t n) { fixer.sweep(HeatbathStep{1.5, 12, n}); }
void reflection(GaugeFixer& fixer) { fixer.sweep(RelaxationStep::microcanonical()); }

struct Update {
  const char* name;
  std::function<void(GaugeFixer&, std::uint32_t)> run;
  int sweeps;
  bool drawn;  // by random numbers that differ between precisions, or decide what rounding has changed
};
const std::vector<Update>& updates() {
  static const std::vector<Update> all = {
      {"overrelaxation", [](GaugeFixer& f, std::uint32_t) { f.sweep(RelaxationStep::overrelaxation(1.7)); },
       1, false},
      {"group_overrelaxation", [](GaugeFixer& f, std::uint32_t) { f.sweep(GroupOverrelaxationStep{1.7}); }, 1,
       false},
      {"stochastic", [](GaugeFixer& f, std::uint32_t n) { f.sweep(RelaxationStep::stochastic(0.8, 12, n)); },
       1, true},
      {"microcanonical", [](GaugeFixer& f, std::uint32_t) { reflection(f); }, 1, false},
      {"heatbath", heatbath, 1, true},
      {"annealing",  // the usual step
       [](GaugeFixer& f, std::uint32_t n) {
         heatbath(f, n);
         for (int k = 0; k < 3; ++k) reflection(f);
       },
       4, true}};
  return all;
}

double functional_after(GaugeFixer& fixer, const Update& update) {
  constexpr std::uint32_t checked = 20;
  fixer.start_at_random(4);
  for (std::uint32_t n = 0; n < checked; ++n) update.run(fixer, n);
  return fixer.quality().front().functional;
}

}  // namespace

std::vector<BenchRow> bench_gaugefix(const BenchContext& context) {
  const BenchLattice lattice = context.share(
      context.site.location == Location::device ? Extents{32, 32, 32, 32} : Extents{8, 8, 8, 16});
  const auto precisions = context.precisions();
  if (context.options.link_reals != 0 && context.options.link_reals != link_reals_of_sweeps)
    throw Error(ErrorKind::usage, "benchmark 'gaugefix' has links of 12 reals");
  const auto asked = [&](const Kind& kind) {  // "single" has what is mixed with it
    return std::find(precisions.begin(), precisions.end(), kind.of_links) != precisions.end();
  };
  const ProcessGrid& grid = *lattice.grid;
  const Queue queue = context.queue();
  const Field gauge = random_gauge(lattice.geometry, 31);
  const double sites = static_cast<double>(lattice.geometry->local_volume());
  // Of what is drawn the functional is the same within its fluctuation: each link's has a variance below
  // 1/18, so that this is eight standard deviations or more.
  const double fluctuation = 1 / std::sqrt(static_cast<double>(lattice.geometry->global_volume()));
  std::vector<BenchRow> rows;
  for (const Case& c : cases) {
    for (const Update& update : updates()) {
      const std::string name = fmt::format("{} {}", c.name, update.name);
      if (!context.wants(name)) continue;
      GaugeFixer exact(grid, gauge, c.gauge, FixingPrecision::full, 1, queue, lattice.transport);
      const double expected = functional_after(exact, update);
      for (const Kind& kind : kinds) {
        if (!asked(kind)) continue;
        {
          GaugeFixer fixer(grid, gauge, c.gauge, kind.precision, 1, queue, lattice.transport);
          const bool is_reference = kind.precision == FixingPrecision::full;
          const double off = std::abs(functional_after(fixer, update) - expected);
          if (!(off <= (update.drawn ? fluctuation : kind.bound)))
            throw Error(ErrorKind::internal,
                        fmt::format("the functional of {} in {} precision is off by {:.2e} after 20 updates",
                                    name, kind.name, off));
          std::uint32_t n = 20;  // what is drawn is new
          const Samples s = measure(context, queue, [&](const Queue&) { update.run(fixer, n++); });
          const Work work = sweep_work(c.gauge, kind.precision, update.sweeps * sites);
          BenchRow r;
          r.name = name;
          r.lattice = to_string(lattice.geometry->global());
          r.grid = to_string(grid.ranks());
          r.precision = kind.name;
          r.link_reals = link_reals_of_sweeps;
          r.samples = s.count;
          r.microseconds = s.median, r.least = s.least, r.most = s.most;
          r.flops = work.flops;
          r.bytes = work.bytes;
          r.check = is_reference ? "the others' reference" : fmt::format("{:.1e} off double", off);
          rows.push_back(r);
        }
      }
    }
  }
  return rows;
}

}  // namespace plaq::jobs

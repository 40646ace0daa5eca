// One iteration of gauge fixing: an update of all sites. Flops as the field counts them, 2274 a site in four
// directions (Schroeck, Vogt 2013, appendix A), of which the links' 2016 and the sums' 192 are of eight
// links, in three directions of six. Bytes: the links of each site and of its neighbours once in each half of
// the iteration, g read where it changes and where neighbours look at it, and written.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "gaugefix/gauge_fixer.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/rates/random_fields.hpp"

namespace plaq::jobs {
namespace {

constexpr double omega = 1.7;

struct Case {
  Gauge gauge;
  const char* name;
};
constexpr Case cases[] = {
    {Gauge::landau, "landau"}, {Gauge::coulomb, "coulomb"}, {Gauge::maximally_abelian, "maximally_abelian"}};

struct Kind {
  FixingPrecision precision;
  const char* name;
  int link_bytes, g_bytes;
  double bound;  // of the functional, against double with 18 reals
};
constexpr Kind kinds[] = {{FixingPrecision::single, "single", 4, 4, 1e-5},
                          {FixingPrecision::mixed, "mixed", 4, 8, 1e-6},
                          {FixingPrecision::full, "double", 8, 8, 1e-12}};

double functional_after(GaugeFixer& fixer, int sweeps) {
  fixer.start_at_random(4);
  for (int n = 0; n < sweeps; ++n) fixer.sweep(RelaxationStep::overrelaxation(omega));
  return fixer.quality().front().functional;
}

}  // namespace

std::vector<BenchRow> bench_gaugefix(const BenchContext& context) {
  const BenchLattice lattice = context.share(
      context.site.location == Location::device ? Extents{32, 32, 32, 32} : Extents{8, 8, 8, 16});
  const auto precisions = context.precisions();
  if (context.options.link_reals == 8)
    throw Error(ErrorKind::usage, "benchmark 'gaugefix' has links of 18 and 12 reals, not of 8");
  const auto asked = [&](const Kind& kind) {  // "single" has what is mixed with it
    const Precision of_links =
        kind.link_bytes == 4 ? Precision::single_precision : Precision::double_precision;
    return std::find(precisions.begin(), precisions.end(), of_links) != precisions.end();
  };
  const ProcessGrid& grid = *lattice.grid;
  const Queue queue = context.queue();
  const Field gauge = random_gauge(lattice.geometry, 31);
  const double sites = static_cast<double>(lattice.geometry->local_volume());
  constexpr int checked_sweeps = 20;
  std::vector<BenchRow> rows;
  for (const Case& c : cases) {
    GaugeFixer exact(grid, gauge, c.gauge, FixingPrecision::full, 1, queue, lattice.transport, 18);
    const double expected = functional_after(exact, checked_sweeps);
    for (const Kind& kind : kinds) {
      if (!asked(kind)) continue;
      for (const int reals : {18, 12}) {
        if (context.options.link_reals != 0 && context.options.link_reals != reals) continue;
        GaugeFixer fixer(grid, gauge, c.gauge, kind.precision, 1, queue, lattice.transport, reals);
        const double off = std::abs(functional_after(fixer, checked_sweeps) - expected);
        if (!(off <= kind.bound))
          throw Error(
              ErrorKind::internal,
              fmt::format("the functional of {} gauge in {} precision is off by {:.2e} after {} sweeps",
                          c.name, kind.name, off, checked_sweeps));
        const Samples s = measure(context, queue,
                                  [&](const Queue&) { fixer.sweep(RelaxationStep::overrelaxation(omega)); });
        const double directions = c.gauge == Gauge::coulomb ? 3 : 4;
        BenchRow r;
        r.name = c.name;
        r.lattice = to_string(lattice.geometry->global());
        r.grid = to_string(grid.ranks());
        r.precision = kind.name;
        r.link_reals = reals;
        r.samples = s.count;
        r.microseconds = s.median, r.least = s.least, r.most = s.most;
        r.flops = sites * (2208 * directions / 4 + 66);
        r.bytes = sites * (2 * directions * reals * kind.link_bytes + 3 * 18 * kind.g_bytes);
        r.check = fmt::format("{:.1e} off double", off);
        rows.push_back(r);
      }
    }
  }
  return rows;
}

}  // namespace plaq::jobs

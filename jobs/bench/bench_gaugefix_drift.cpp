// What rounding does to gauge fixing in thousands of sweeps (Schroeck, Vogt 2013, figures 1 and 2): unitarity
// of g and the functional of Landau gauge, in single, mixed and double precision, as sweeps leave g and
// brought back to SU(3) every 100 of them. Overrelaxation in subgroups of SU(2), omega = 1.7, from g = 1, on
// a quenched field at beta = 6.
//
// The drift of that paper cannot appear: it multiplies links, whose errors add up, while here links are
// read only, and every update restores the rows of g to second order (gaugefix/sweep/update_site.hpp). Rounding is
// what remains. On a GPU 12000 sweeps, on the host 400.
//
// Time: of a sweep, over those between two looks. Functional: as a run sees it, links and arithmetic as of
// GaugeFixer::quality(), so that in single precision links are off by rounding too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "gaugefix/run/sweep_work.hpp"
#include "gaugefix/sweep/row_violation.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "jobs/bench/bench.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

constexpr int reprojected_every = 100;

struct Length {
  int sweeps, looked_every;
  int thermalization;  // a heatbath sweep and four of overrelaxation, so many times
};
Length length_at(Location location) {
  return location == Location::device ? Length{12000, 200, 300} : Length{400, 20, 20};
}

struct Kind {
  FixingPrecision precision;
  const char* name;
  Precision of_links;
  double bound;  // of |g g^dagger - 1|, a few roundings
};
constexpr Kind kinds[] = {{FixingPrecision::single, "single", Precision::single_precision, 1e-5},
                          {FixingPrecision::mixed, "mixed", Precision::single_precision, 1e-13},
                          {FixingPrecision::full, "double", Precision::double_precision, 1e-13}};

// Without halo, in double.
Field thermalized(const BenchLattice& lattice, int compound_sweeps, const Queue& queue) {
  const FieldSpec spec = gauge_spec(Precision::double_precision, queue.location());
  Field extended(lattice.geometry->extended(1), spec);
  QuenchedUpdate update(*lattice.grid, extended, {6.0, 41}, lattice.transport);
  hot_start(extended, 41, queue);
  for (int i = 0; i < compound_sweeps; ++i) {
    update.heatbath_sweep(extended, static_cast<std::uint32_t>(i), queue);
    for (int k = 0; k < 4; ++k) update.overrelaxation_sweep(extended, queue);
  }
  queue.synchronize();
  Field gauge(lattice.geometry, spec);
  copy(gauge, extended);
  return gauge;
}

struct Run {
  std::vector<DriftPoint> points;
  Samples samples;
};

Run sweep_along(GaugeFixer& fixer, const ProcessGrid& grid, const Length& length, bool reprojected) {
  const RelaxationStep step = RelaxationStep::overrelaxation(1.7);
  const auto look = [&](int sweeps) {
    const RowViolation violation = row_violation(grid, fixer.rows(), fixer.queue());
    return DriftPoint{sweeps, violation.average, violation.largest, fixer.quality().front().functional, 0};
  };
  Run run;
  run.points.push_back(look(0));
  std::vector<double> microseconds;
  for (int done = 0; done < length.sweeps;) {
    const double seconds = slowest_seconds(grid.comm(), fixer.queue(), [&] {
      for (int k = 0; k < length.looked_every; ++k) {
        // Not behind the last sweep, so that a look sees what a hundred sweeps have done.
        if (reprojected && done > 0 && done % reprojected_every == 0) fixer.project();
        fixer.sweep(step);
        ++done;
      }
    });
    microseconds.push_back(1e6 * seconds / length.looked_every);
    run.points.push_back(look(done));
  }
  std::sort(microseconds.begin(), microseconds.end());
  run.samples = samples_of(microseconds);
  return run;
}

void check(const Kind& kind, const Run& run) {
  for (const DriftPoint& point : run.points)
    if (!(point.largest <= kind.bound) || !std::isfinite(point.functional))
      throw Error(ErrorKind::internal,
                  fmt::format("after {} sweeps in {} precision |g g^dagger - 1| is {:.2e}", point.sweeps,
                              kind.name, point.largest));
}

}  // namespace

std::vector<BenchRow> bench_gaugefix_drift(const BenchContext& context) {
  const Location location = context.site.location;
  const BenchLattice lattice =
      context.share(location == Location::device ? Extents{32, 32, 32, 32} : Extents{8, 8, 8, 8});
  const auto precisions = context.precisions();
  if (context.options.link_reals != 0 && context.options.link_reals != link_reals_of_sweeps)
    throw Error(ErrorKind::usage, "benchmark 'gaugefix_drift' has links of 12 reals");
  const ProcessGrid& grid = *lattice.grid;
  const Queue queue = context.queue();
  const Length length = length_at(location);
  const Field gauge = thermalized(lattice, length.thermalization, queue);
  const auto run_of = [&](const Kind& kind, bool reprojected) {
    GaugeFixer fixer(grid, gauge, Gauge::landau, kind.precision, 1, queue, lattice.transport);
    Run run = sweep_along(fixer, grid, length, reprojected);
    check(kind, run);
    return run;
  };
  // What all others are held against, first.
  const Run exact = run_of(kinds[2], false);
  const double last = exact.points.back().functional;
  std::vector<BenchRow> rows;
  for (const Kind& kind : kinds) {
    if (std::find(precisions.begin(), precisions.end(), kind.of_links) == precisions.end()) continue;
    for (const bool reprojected : {false, true}) {
      const std::string name =
          reprojected ? fmt::format("reprojected every {}", reprojected_every) : "as swept";
      if (!context.wants(name)) continue;
      Run run = kind.precision == FixingPrecision::full && !reprojected ? exact : run_of(kind, reprojected);
      double worst = 0;
      for (DriftPoint& point : run.points) {
        point.deviation = point.functional / last - 1;
        worst = std::max(worst, point.largest);
      }
      const Work work =
          sweep_work(Gauge::landau, kind.precision, static_cast<double>(lattice.geometry->local_volume()));
      BenchRow r;
      r.name = name;
      r.lattice = to_string(lattice.geometry->global());
      r.grid = to_string(grid.ranks());
      r.precision = kind.name;
      r.link_reals = link_reals_of_sweeps;
      r.samples = run.samples.count;
      r.microseconds = run.samples.median, r.least = run.samples.least, r.most = run.samples.most;
      r.flops = work.flops;
      r.bytes = work.bytes;
      r.check = fmt::format("unitarity to {:.1e} in {} sweeps, functional {:.1e} off double", worst,
                            length.sweeps, run.points.back().deviation);
      r.drift = std::move(run.points);
      rows.push_back(std::move(r));
    }
  }
  return rows;
}

}  // namespace plaq::jobs

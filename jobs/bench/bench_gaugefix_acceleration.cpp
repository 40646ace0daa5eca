// Time to theta < 1e-10 (in Coulomb gauge of every time slice) on a quenched field at beta = 6.0, from one
// random point on its gauge orbit: overrelaxation with the best of a list of omegas, and accelerated gauge
// fixing after some sweeps of overrelaxation, which are counted. Overrelaxation looks at theta every 20
// sweeps; the time that this takes is left out. Accelerated iterations find it on their way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "gaugefix/accelerated.hpp"
#include "jobs/bench/bench.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

constexpr double theta = 1e-10, first_omega = 1.7;
constexpr int between_looks = 20, most_sweeps = 20000, most_iterations = 3000;
constexpr std::uint64_t start_seed = 4;

Field thermalised(const BenchContext& context, const BenchLattice& lattice) {
  const bool device = context.site.location == Location::device;
  const Queue queue = context.queue();
  const auto extended = lattice.geometry->extended(1);
  Field work(extended, gauge_spec(Precision::double_precision, context.site.location));
  QuenchedUpdate update(*lattice.grid, work, {6.0, 77}, lattice.transport);
  hot_start(work, 77, queue);
  const int compound_sweeps = device ? 300 : 60;
  for (int n = 0; n < compound_sweeps; ++n) {
    update.heatbath_sweep(work, static_cast<std::uint32_t>(n), queue);
    for (int k = 0; k < 4; ++k) update.overrelaxation_sweep(work, queue);
    if (n % 10 == 9) reunitarize(work, queue);
  }
  reunitarize(work, queue);
  queue.synchronize();
  Field gauge(lattice.geometry, gauge_spec(Precision::double_precision, context.site.location));
  copy(gauge, work);
  return gauge;
}

struct Run {
  std::string method;
  int iterations = 0;
  double seconds = 0;
  GaugeQuality quality;
  bool arrived = false;
};

double judged(const GaugeFixer& fixer, const GaugeQuality& quality) {
  return fixer.gauge() == Gauge::coulomb ? quality.worst_slice : quality.theta;
}

// At most `limit` seconds of sweeps: what is slower than the best so far needs no end.
Run overrelaxed(GaugeFixer& fixer, double omega, double limit) {
  Run run;
  run.method = fmt::format("omega {:.2f}", omega);
  fixer.start_at_random(start_seed);
  fixer.queue().synchronize();
  while (run.iterations < most_sweeps && run.seconds < limit) {
    const Timer timer;
    for (int n = 0; n < between_looks; ++n) fixer.sweep(RelaxationStep::overrelaxation(omega));
    if (run.iterations % 100 == 0) fixer.project();
    fixer.queue().synchronize();
    run.seconds += timer.seconds();
    run.iterations += between_looks;
    run.quality = fixer.quality().front();
    run.arrived = judged(fixer, run.quality) < theta;
    if (run.arrived) break;
  }
  return run;
}

Run accelerated(GaugeFixer& fixer, const BenchLattice& lattice, const AccelerationOptions& options,
                int first_sweeps) {
  Run run;
  run.method = std::string(options.fourier ? "Fourier" : "plain") + (options.conjugate ? " CG" : " ascent");
  AcceleratedFixing acceleration(fixer, lattice.transport, options);
  acceleration.run(theta, 1);  // libraries and memory are there, and plans
  fixer.start_at_random(start_seed);
  fixer.queue().synchronize();
  const Timer timer;
  for (int n = 0; n < first_sweeps; ++n) fixer.sweep(RelaxationStep::overrelaxation(first_omega));
  fixer.project();
  const auto report = acceleration.run(theta, most_iterations);
  fixer.queue().synchronize();
  run.seconds = timer.seconds();
  run.iterations = report.iterations;
  run.quality = fixer.quality().front();
  run.arrived = report.converged;
  return run;
}

}  // namespace

std::vector<BenchRow> bench_gaugefix_acceleration(const BenchContext& context) {
  const BenchLattice lattice = context.share(
      context.site.location == Location::device ? Extents{32, 32, 32, 32} : Extents{8, 8, 8, 16});
  const ProcessGrid& grid = *lattice.grid;
  const Queue queue = context.queue();
  const Field gauge = thermalised(context, lattice);
  std::vector<BenchRow> rows;
  for (const Gauge kind : {Gauge::landau, Gauge::coulomb})
    for (const FixingPrecision precision : {FixingPrecision::single, FixingPrecision::mixed}) {
      GaugeFixer fixer(grid, gauge, kind, precision, 1, queue, lattice.transport);
      fixer.sweep(RelaxationStep::overrelaxation(1));  // tuned now
      double best = 1e30;
      const auto add = [&](const Run& run, int first_sweeps) {  // 0: overrelaxation
        if (run.arrived && first_sweeps == 0) best = std::min(best, run.seconds);
        BenchRow r;
        r.name = std::string(kind == Gauge::landau ? "landau " : "coulomb ") + run.method;
        r.lattice = to_string(lattice.geometry->global());
        r.grid = to_string(grid.ranks());
        r.precision = precision == FixingPrecision::single ? "single" : "mixed";
        r.link_reals = 12;
        r.samples = 1;
        r.microseconds = r.least = r.most = 1e6 * run.seconds;
        r.check =
            fmt::format("{} {}, {:.2f} ms, theta {:.1e}, F {:.9f}", run.iterations,
                        first_sweeps > 0 ? fmt::format("iterations after {} sweeps", first_sweeps) : "sweeps",
                        1e3 * run.seconds, judged(fixer, run.quality), run.quality.functional);
        if (!run.arrived) r.check += ", did not arrive";
        if (first_sweeps > 0 && run.arrived && best < 1e30)
          r.check += fmt::format(", {:.2f} times as fast as overrelaxation", best / run.seconds);
        rows.push_back(r);
      };
      for (const double omega : {1.4, 1.5, 1.6, 1.7, 1.75, 1.8, 1.85, 1.9, 1.95})
        add(overrelaxed(fixer, omega, 1.5 * best), 0);
      for (const int sweeps : {20, 50}) add(accelerated(fixer, lattice, {}, sweeps), sweeps);
      for (const auto& [fourier, conjugate] : {std::pair{true, false}, {false, true}})
        add(accelerated(fixer, lattice, {fourier, conjugate}, 50), 50);
    }
  return rows;
}

}  // namespace plaq::jobs

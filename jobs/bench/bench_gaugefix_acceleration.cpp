// Time to theta < 1e-10 (in Coulomb gauge of every time slice) on a quenched field at beta = 6.0, from one
// random point on its gauge orbit: overrelaxation of subgroups of SU(2) one by one, and of SU(3) as a whole,
// each with every omega of a list, the latter also with an omega that is adapted as in FixingRun; accelerated
// gauge fixing after some sweeps of overrelaxation, which are counted. Overrelaxation looks at theta every 20
// sweeps, in the time that is given; accelerated iterations find it on their way. In mixed precision where
// nothing else was asked for.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "gaugefix/fourier/accelerated.hpp"
#include "gaugefix/run/fixing_settings.hpp"
#include "gaugefix/sweep/omega_control.hpp"
#include "jobs/bench/sweeps.hpp"
#include "jobs/bench/targets.hpp"

namespace plaq::jobs {
namespace {

constexpr double theta = 1e-10, first_omega = 1.7;
constexpr int between_looks = 20, between_projections = 100, most_sweeps = 20000, most_iterations = 3000;
constexpr std::uint64_t race_seed = 4;
// Likely best values come first: what is slower than the best so far need not end.
constexpr double omegas_of_subgroups[] = {1.7, 1.6, 1.75, 1.5, 1.8, 1.85, 1.9, 1.95, 1.4};
constexpr double omegas_of_group[] = {1.9, 1.85, 1.93, 1.8, 1.95, 1.7};
constexpr double longer_than_best = 1.25, most_seconds = 5, most_seconds_on_host = 60;

struct Race {
  int iterations = 0, first_sweeps = 0;
  double seconds = 0;
  GaugeQuality quality;
  bool arrived = false;
  std::string note;
};

// No omega: it is adapted.
Race overrelaxed(GaugeFixer& fixer, bool in_subgroups, std::optional<double> omega, int sweeps,
                 double seconds) {
  Race run;
  const Extents& extents = fixer.rows().geometry().global();
  OmegaControl control(OmegaControl::limits_of(*std::max_element(extents.begin(), extents.end())));
  fixer.start_at_random(race_seed);
  while (run.iterations < sweeps && run.seconds < seconds && !run.arrived) {
    const double now = omega ? *omega : control.omega();
    run.seconds += slowest_seconds(fixer.grid().comm(), fixer.queue(), [&] {
      for (int n = 0; n < between_looks; ++n) {
        if (in_subgroups)
          fixer.sweep(RelaxationStep::overrelaxation(now));
        else
          fixer.sweep(GroupOverrelaxationStep{now});
      }
      run.iterations += between_looks;
      if (run.iterations % between_projections == 0) fixer.project();
      run.quality = fixer.quality().front();
    });
    control.observe(between_looks, run.quality.theta);
    run.arrived = measured_theta(fixer.gauge(), run.quality) < theta;
    if (!omega) run.note = fmt::format(", omega {:.3f} at the end", now);
  }
  return run;
}

Race accelerated(GaugeFixer& fixer, const std::shared_ptr<Transport>& transport,
                 const AccelerationOptions& options, int first_sweeps) {
  Race run;
  AcceleratedFixing acceleration(fixer, transport, options);
  acceleration.run(theta, 1);  // libraries and memory are there, and plans
  fixer.start_at_random(race_seed);
  AccelerationReport report;
  run.seconds = slowest_seconds(fixer.grid().comm(), fixer.queue(), [&] {
    for (int n = 0; n < first_sweeps; ++n) fixer.sweep(RelaxationStep::overrelaxation(first_omega));
    report = acceleration.run(theta, most_iterations);
  });
  run.first_sweeps = first_sweeps;
  run.iterations = report.iterations;
  run.quality = fixer.quality().front();
  run.arrived = report.converged;
  return run;
}

// Mixed, where nothing else was asked for.
StudyStorage asked(const Bench& bench) {
  if (bench.asks_for_all_precisions()) return {{Precision::single_precision, 12}, true};
  return {bench.precisions().front(), 12};
}

// The rows of one gauge.
class Races {
 public:
  Races(Bench& bench, const Field& gauge, Gauge kind)
      : bench_(bench),
        storage_(asked(bench)),
        fixer_(bench.grid(), gauge, kind, fixing_precision(storage_), 1, bench.queue(), bench.transport()),
        most_seconds_(bench.location() == Location::device ? most_seconds : most_seconds_on_host) {
    fixer_.sweep(RelaxationStep::overrelaxation(1));  // tuned now
    fixer_.sweep(GroupOverrelaxationStep{1});
    fixer_.quality();
  }

  void run() {
    for (const double omega : omegas_of_subgroups) sweep(true, omega);
    for (const double omega : omegas_of_group) sweep(false, omega);
    sweep(false, {});
    for (const int sweeps : {20, 50}) accelerate({}, sweeps);
    accelerate({true, false}, 50);
    accelerate({false, true}, 50);
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  // Over the omegas that were given.
  struct Best {
    double seconds = never;
    int longest = most_sweeps;  // of those to come
  };

  std::string name(const std::string& method) const {
    return (fixer_.gauge() == Gauge::coulomb ? "coulomb " : "landau ") + method;
  }
  void sweep(bool in_subgroups, std::optional<double> omega) {
    const std::string called = name(std::string(in_subgroups ? "subgroups" : "group") +
                                    (omega ? fmt::format(" omega {:.2f}", *omega) : " adaptive omega"));
    if (!bench_.wants(called)) return;
    Best& best = in_subgroups ? subgroups_ : group_;
    const Race run =
        overrelaxed(fixer_, in_subgroups, omega, omega ? best.longest : most_sweeps, most_seconds_);
    add(called, run, !in_subgroups, false);
    if (!run.arrived || !omega) return;
    best.seconds = std::min(best.seconds, run.seconds);
    best.longest = std::min(best.longest, static_cast<int>(longer_than_best * run.iterations));
  }
  void accelerate(const AccelerationOptions& options, int first_sweeps) {
    const std::string called =
        name(std::string(options.fourier ? "Fourier" : "plain") + (options.conjugate ? " CG" : " ascent"));
    if (bench_.wants(called))
      add(called, accelerated(fixer_, bench_.transport(), options, first_sweeps), true, true);
  }
  void add(const std::string& called, const Race& run, bool against_subgroups, bool against_group) {
    const double us = 1e6 * run.seconds;
    std::string check = fmt::format(
        "{} {}, {:.2f} ms, theta {:.1e}, F {:.9f}{}{}", run.iterations,
        run.first_sweeps > 0 ? fmt::format("iterations after {} sweeps", run.first_sweeps) : "sweeps",
        1e3 * run.seconds, measured_theta(fixer_.gauge(), run.quality), run.quality.functional, run.note,
        run.arrived ? "" : ", given up");
    const auto compare = [&](double best, const char* with) {
      if (run.arrived && best < never)
        check += fmt::format(", {:.2f} times as fast as {}", best / run.seconds, with);
    };
    if (against_subgroups) compare(subgroups_.seconds, "subgroups");
    if (against_group) compare(group_.seconds, "group");
    bench_.add(called, storage_, 1, {us, us, us, 1}, {}, check);
  }

  Bench& bench_;
  StudyStorage storage_;
  GaugeFixer fixer_;
  double most_seconds_;
  Best subgroups_, group_;
};

}  // namespace

void bench_gaugefix_acceleration(Bench& bench, std::string_view) {
  asked(bench);  // throws where it cannot be, before all work
  const Field gauge = thermalized(bench, bench.location() == Location::device ? 300 : 60);
  for (const Gauge kind : {Gauge::landau, Gauge::coulomb}) Races(bench, gauge, kind).run();
}

}  // namespace plaq::jobs

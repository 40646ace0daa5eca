#include "plaq/gauge_fixing.hpp"

#include <algorithm>

#include "comms/grid/shared_lattice.hpp"
#include "gaugefix/run/fixing_run.hpp"
#include "gaugefix/run/gauge_precision.hpp"

namespace plaq {

namespace {

// The ranges are those of gaugefix jobs.
void expect_possible(const FixingSettings& s) {
  const auto expect = [](bool possible, const char* what) {
    if (!possible) throw Error(ErrorKind::usage, std::string("fix_gauge(): ") + what);
  };
  expect(s.theta > 0 && s.theta < 1, "theta is between 0 and 1");
  expect(!s.omega || (*s.omega >= 1 && *s.omega < 2), "omega is at least 1 and less than 2");
  expect(s.max_sweeps > 0 && s.patience > 0, "max_sweeps and patience are positive");
  expect(s.measure_every > 0 && s.reproject_every > 0, "measure_every and reproject_every are positive");
  expect(s.restarts >= 0 && s.stochastic_sweeps >= 0, "restarts and stochastic_sweeps are not negative");
  expect(s.stochastic_probability >= 0 && s.stochastic_probability <= 1, "stochastic_probability is 0 to 1");
  const AnnealingSchedule& a = s.annealing;
  expect(a.steps >= 0 && a.microcanonical >= 0, "annealing has no negative number of sweeps");
  expect(a.coldest > 0 && a.coldest <= a.hottest,
         "annealing falls from hottest to coldest, which is positive");
}

}  // namespace

FixedGauge fix_gauge(const GaugeField& gauge, const FixingSettings& settings, int copies) {
  expect_possible(settings);
  if (copies < 1) throw Error(ErrorKind::usage, "fix_gauge(): at least one copy");
  const SharedLattice& lattice = gauge.lattice().shared();
  FixingRun run(*lattice.grid, gauge.field(), settings, lattice.queue, lattice.transport);
  std::vector<CopyOutcome> outcomes;
  for (int copy = 0; copy < copies; ++copy)
    for (CopyOutcome& outcome : run.run(copy, 1)) outcomes.push_back(std::move(outcome));
  const FixingRun::Best& best = run.best();
  if (best.copy < 0)
    throw Error(ErrorKind::not_converged,
                "no gauge copy has reached theta; more max_sweeps or restarts, or annealing, may help");
  ColorMatrixField g(gauge.lattice(), best.g);
  GaugeField fixed = transformed(gauge, g);
  const auto is_best = [&](const CopyOutcome& one) { return one.copy == best.copy; };
  const CopyOutcome outcome = *std::find_if(outcomes.begin(), outcomes.end(), is_best);
  return {std::move(fixed), std::move(g), outcome, std::move(outcomes)};
}

GaugeQuality gauge_quality(const GaugeField& gauge, Gauge condition) {
  return quality_of(gauge.lattice().shared(), gauge.field(), condition);
}

GaugeQuality expect_fixed(const GaugeField& gauge, Gauge condition, double max_theta) {
  GaugeQuality quality = gauge_quality(gauge, condition);
  if (const auto fault = fault_of_theta(condition, measured_theta(condition, quality), max_theta))
    throw Error(ErrorKind::usage, *fault + "; fix it first");
  return quality;
}

}  // namespace plaq

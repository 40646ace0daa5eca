#include "plaq/gauge_fixing.hpp"

#include <algorithm>

#include "comms/grid/shared_lattice.hpp"
#include "gaugefix/run/fixing_run.hpp"

namespace plaq {

FixedGauge fix_gauge(const GaugeField& gauge, const FixingSettings& settings, int copies) {
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
  const SharedLattice& lattice = gauge.lattice().shared();
  GaugeFixer fixer(*lattice.grid, gauge.field(), condition, FixingPrecision::full, 1, lattice.queue,
                   lattice.transport);
  return fixer.quality().front();
}

}  // namespace plaq

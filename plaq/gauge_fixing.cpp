#include "plaq/gauge_fixing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comms/start/shared_lattice.hpp"
#include "gaugefix/run/fixing_run.hpp"
#include "gaugefix/run/gauge_condition.hpp"
#include "settings/gauge/fixing_tables.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {

namespace {

const settings::Schema& fixing_schema() {
  static const settings::Schema schema{"gaugefix", "Gauge fixing.", settings::fixing_tables(),
                                       settings::fixing_rules()};
  return schema;
}

}  // namespace

FixedGauge fix_gauge(const GaugeField& gauge, const FixingSettings& settings, const CopySettings& copies,
                     const AtFixingCheck& at_check) {
  const settings::CopyKeys keys{.copies = copies.copies, .at_once = copies.at_once};
  settings::expect_valid(fixing_schema(), "fix_gauge()", settings, keys);
  const int at_once =
      settings::copies_at_once(keys, gauge.lattice().local_volume(), gauge.lattice().location());
  const SharedLattice& lattice = gauge.lattice().shared();
  FixingRun run(*lattice.grid, gauge.field(), settings, lattice.queue, lattice.transport, at_check);
  std::vector<CopyOutcome> outcomes;
  for (int first = 0; first < copies.copies; first += at_once)
    for (CopyOutcome& outcome : run.run(first, std::min(at_once, copies.copies - first)))
      outcomes.push_back(std::move(outcome));
  const FixingRun::Best& best = run.best();
  if (best.copy < 0)
    throw Error(ErrorKind::not_converged,
                fmt::format("no gauge copy has reached theta = {:.1e}; more max_sweeps or restarts, or "
                            "annealing, may help",
                            settings.theta));
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
  if (const auto fault = validate_theta(condition, measured_theta(condition, quality), max_theta))
    throw Error(ErrorKind::usage, *fault + "; fix it first");
  return quality;
}

}  // namespace plaq

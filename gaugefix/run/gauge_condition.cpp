#include "gaugefix/run/gauge_condition.hpp"

#include <fmt/format.h>

#include "comms/start/shared_lattice.hpp"
#include "core/system/dry_run.hpp"
#include "gaugefix/run/gauge_fixer.hpp"

namespace plaq {

GaugeQuality quality_of(const SharedLattice& lattice, const Field& links, Gauge gauge) {
  const Phase phase("judging the gauge");
  const MemoryName name("gauge precision");
  GaugeFixer fixer(*lattice.grid, links, gauge, FixingPrecision::full, 1, lattice.queue, lattice.transport);
  return fixer.quality().front();
}

std::optional<std::string> validate_theta(Gauge gauge, double theta, double max_theta,
                                          const std::string& where) {
  if (theta <= max_theta) return std::nullopt;
  return fmt::format(
      "theta of {} gauge is {:.3e}, above max_theta = {:g}{}: the field is not fixed to this gauge, or not "
      "well "
      "enough",
      name_of(gauge), theta, max_theta, where);
}

}  // namespace plaq

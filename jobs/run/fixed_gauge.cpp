#include "jobs/run/fixed_gauge.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "gaugefix/run/fixing_settings.hpp"

namespace plaq::jobs {

FixedGauge expect_fixed(const JobContext& context, const Field& links, Gauge gauge, double max_theta,
                        const std::string& table, const std::string& file) {
  const Phase phase("judging the gauge");
  const MemoryName name("gauge precision");
  GaugeFixer fixer(*context.grid, links, gauge, FixingPrecision::full, 1, context.queue, context.transport);
  const GaugeQuality quality = fixer.quality()[0];
  const double theta = measured_theta(gauge, quality);
  if (!(theta <= max_theta))
    throw Error(ErrorKind::input_file,
                fmt::format("{}: theta of {} gauge is {:.3e}, above max_theta = {:g} in [{}]: the field is "
                            "not fixed to this gauge, or not well enough; a gaugefix job does it",
                            file, gauge == Gauge::landau ? "Landau" : "Coulomb", theta, max_theta, table));
  return {theta, quality.functional};
}

}  // namespace plaq::jobs

#include "jobs/run/fixed_gauge.hpp"

#include "core/system/error.hpp"
#include "gaugefix/run/fixing_settings.hpp"
#include "gaugefix/run/gauge_precision.hpp"

namespace plaq::jobs {

FixedGauge expect_fixed(const JobContext& context, const Field& links, Gauge gauge, double max_theta,
                        const std::string& table, const std::string& file) {
  const GaugeQuality quality = quality_of(context, links, gauge);
  const double theta = measured_theta(gauge, quality);
  if (const auto fault = fault_of_theta(gauge, theta, max_theta, " in [" + table + "]"))
    throw Error(ErrorKind::input_file, file + ": " + *fault + "; a gaugefix job does it");
  return {theta, quality.functional};
}

}  // namespace plaq::jobs

// Checks that a gauge field is fixed to a gauge, for jobs whose results hold in that gauge.
#pragma once

#include <string>

#include "gaugefix/run/gauge_condition.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

struct FixedGauge {
  double theta =
      0;  // as of a gaugefix job: the average over the lattice, in Coulomb gauge of the worst time slice
  double functional = 0;  // of the gauge
};

// Collective. `links`: double precision, without halo. Throws Error(input_file), which names `file` and the
// key max_theta of `table`, where theta is above it.
FixedGauge expect_fixed(const JobContext& context, const Field& links, Gauge gauge, double max_theta,
                        const std::string& table, const std::string& file);

}  // namespace plaq::jobs

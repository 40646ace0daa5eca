// A gauge field that was read and verified.
#pragma once

#include "core/field/field.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

struct LoadedGauge {
  Field field;  // at the job's location, double, on the extended(1) geometry with a filled halo
  GaugeReadReport report;
  GaugeObservables observables;
};

}  // namespace plaq::jobs

// A gauge field that was read and verified.
#pragma once

#include "core/field/field.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

struct LoadedGauge {
  Field field;  // at the job's location, double, on the extended(1) geometry with a filled halo
  GaugeReadReport report;
  GaugeObservables observables;
};

// What results say of the field: file, checksum, plaquette, link_trace; stated_checksum, where that is another one and the
// links were accepted ([gauge] accept_checksums).
Attributes attributes_of(const LoadedGauge& gauge);
// The same of links that were not read, as far as the header has it: file; checksum, empty where there is none; plaquette.
Attributes attributes_of(const GaugeFileInfo& header);

}  // namespace plaq::jobs

// Attributes of a gauge field that was read, for results.
#pragma once

#include "io/gauge/loaded_gauge.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

// Attributes of the field: file, checksum, plaquette, link_trace; stated_checksum, where that is another one
// and the links were accepted ([gauge] accept_checksums).
Attributes attributes_of(const LoadedGauge& gauge);
// Attributes of links that were not read, as far as the header has them: file; checksum,
// empty where there is none; plaquette.
Attributes attributes_of(const GaugeFileInfo& header);

}  // namespace plaq::jobs

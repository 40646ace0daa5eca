// Gauge fields that a job writes: keys of [output] that say how.
#pragma once

#include <vector>

#include "io/gauge/gauge_file.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

// format, precision, rows and byte_order, the members of GaugeWriteOptions; the rule that the format has them.
std::vector<Key> saved_field_keys();
Rule saved_field_rule();

}  // namespace plaq::jobs

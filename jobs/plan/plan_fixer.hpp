// A GaugeFixer in a plan.
#pragma once

#include <string>

#include "gaugefix/run/gauge_fixer.hpp"
#include "jobs/plan/plan_parts.hpp"

namespace plaq::jobs {

// Made of links such as `from`: what stays. `whose`: "of the sweeps".
Helds hold_gauge_fixer(Plan& plan, const Geometry& geometry, const std::string& whose, const FieldSpec& from,
                       Gauge gauge, FixingPrecision precision, int copies);

}  // namespace plaq::jobs

// What the table [measure] says; [flow] is a FlowRun.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

struct MeasureKeys {
  std::vector<std::string> observables{"plaquette", "link_trace", "polyakov_loop", "unitarity"};

  bool wants(const char* name) const {
    return std::find(observables.begin(), observables.end(), name) != observables.end();
  }
};

/// The schema of measure jobs.
const Schema& measure_schema();

}  // namespace plaq::jobs

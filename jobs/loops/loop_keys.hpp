// The keys of [loops]; [noise] is LoopNoise, [dilution] NoiseDilution.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "observables/quark/quark_loops.hpp"

namespace plaq::jobs {

struct LoopKeys {
  std::vector<std::string> currents;  // empty: all
  int max_momentum_squared = 0;
};

std::vector<LoopCurrent> loop_currents(const Settings& job);

/// The schema of loops jobs.
const Schema& loops_schema();

}  // namespace plaq::jobs

// Keys of perambulators jobs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

/// The table [perambulators].
struct PerambulatorKeys {
  std::string directory;
  int source_time = 0, count = 1, shift = 1;

  /// Time slice of source k.
  int time(int k, int slices) const {
    return static_cast<int>((source_time + static_cast<std::int64_t>(k) * shift) % slices);
  }
};

/// The table [currents], of generalised perambulators.
struct CurrentKeys {
  std::vector<int> sink_times;  // none: no generalised perambulators
  std::vector<std::string> operators{"1"};
  int max_momentum_squared = 0;
};

/// Numbers of [noise] beside ModeNoise.
struct ModeNoiseOfFields {
  bool by_trajectory = true;
};

/// The schema of perambulators jobs.
const Schema& perambulators_schema();

}  // namespace plaq::jobs

// The schema of propagator jobs, and keys that its rules share with an observable.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

// [three_point].
struct ThreePointKeys {
  std::vector<std::string> insertions;
  int sink_time = 0;  // 0: not given
  bool smeared_sink = false;

  explicit operator bool() const { return !insertions.empty(); }
};

// True if an insertion is into the proton.
bool has_nucleon(const ThreePointKeys& keys);

/// The schema of propagator jobs.
const Schema& propagator_schema();

}  // namespace plaq::jobs

// Changes of a program or of its methods that would move the limit of strong scaling, and the time that the
// model gives with each of them: they tell what is worth building. Schwarz blocks are built for the smoothers
// of multigrid (multigrid/cycle/local_smoother.hpp).
#pragma once

#include <string_view>
#include <vector>

#include "core/system/performance_trace.hpp"
#include "jobs/model/machine_model.hpp"

namespace plaq::jobs {

struct ScalingChange {
  std::string_view name, meaning;
  bool same_iterations = true;  // false: a solve needs more, so that the gain is that of a step alone
  // Seconds of one pass of the section with it; at best, where something about it is unknown.
  double (*seconds)(const MachineModel& machine, const PerformanceTrace::Section& section);
};

// In the order of a table: halos of half the bytes; sums of four iterations at once; pipelined sums; sums
// that no host waits for; exchanges between nodes in the launch that computes; Schwarz blocks.
const std::vector<ScalingChange>& scaling_changes();

// The time without a change over that with it.
double gain_of(const ScalingChange& change, const MachineModel& machine,
               const PerformanceTrace::Section& section);

}  // namespace plaq::jobs

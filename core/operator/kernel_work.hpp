// The work of one kernel, said where it is launched. Performance traces of dry runs are made of it
// (core/system/performance_trace.hpp).
#pragma once

#include <string_view>

#include "core/operator/linear_operator.hpp"

namespace plaq {

struct KernelWork {
  // Texts that live as long as the process. Kernels of one class reach the
  // same share of the memory bandwidth.
  std::string_view name;              // "wilson_hop single 12"
  std::string_view efficiency_class;  // "wilson_hop"
  Precision precision = Precision::double_precision;
  int reconstruction = 0;  // 0: no links, or it is no choice
  int vectors = 1;         // right-hand sides, slices and copies
  bool temporal_gauge = false;
  Work work = {};
};

// Enters a launch on `queue` in the performance trace of a dry run; does nothing in other runs.
void record(const Queue& queue, const KernelWork& kernel);
// The host waits for an iteration that was queued.
void record_wait(const Queue& queue);

}  // namespace plaq

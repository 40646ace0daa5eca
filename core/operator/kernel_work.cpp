#include "core/operator/kernel_work.hpp"

#include "core/system/dry_run.hpp"

namespace plaq {

void record(const Queue&, const KernelWork& kernel) {
  if (DryRun* run = DryRun::current()) run->trace().add(step_of(kernel));
}

void record_wait(const Queue&) {
  DryRun* run = DryRun::current();
  if (run == nullptr) return;
  TraceStep step = step_of({"status", "vector_update"});  // it follows the updates of an iteration
  step.host_waits = true;
  run->trace().add(step);
}

}  // namespace plaq

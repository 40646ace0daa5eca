#include "core/operator/kernel_work.hpp"

#include "core/system/dry_run.hpp"

namespace plaq {

void record(const Queue&, const KernelWork& kernel) {
  if (DryRun* run = DryRun::current()) run->tape().add(step_of(kernel));
}

void record_wait(const Queue&) {
  DryRun* run = DryRun::current();
  if (run == nullptr) return;
  TapeStep step = step_of({"status", "vector_update"});  // it follows the updates of an iteration
  step.host_waits = true;
  run->tape().add(step);
}

}  // namespace plaq

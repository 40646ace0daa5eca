#include "multigrid/tape_kernel.hpp"

#include "core/system/dry_run.hpp"

namespace plaq {

void tape_kernel(const char* name, KernelKind kernel, Precision storage, int vectors, const Work& work) {
  if (!runs_dry()) return;
  TapeStep step;
  step.name = name;
  step.kernel = kernel;
  step.precision = storage;
  step.vectors = vectors;
  step.flops = work.flops;
  step.bytes = work.bytes;
  DryRun::current()->tape().add(step);
}

}  // namespace plaq

#include "kernels/blas/tape_update.hpp"

#include "core/system/dry_run.hpp"

namespace plaq::blas {

void tape_update(const Field& vector, int active, const Work& work) {
  if (!runs_dry()) return;
  TapeStep step;
  step.name = "vector_update";
  step.precision = vector.precision();
  step.vectors = active * vector.slices();
  step.flops = work.flops;
  step.bytes = work.bytes;
  DryRun::current()->tape().add(step);
}

}  // namespace plaq::blas

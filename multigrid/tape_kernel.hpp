// What kernels of multigrid write on the tape of a dry run (core/system/tape.hpp).
#pragma once

#include "core/operator/linear_operator.hpp"
#include "core/system/tape.hpp"

namespace plaq {

// A kernel without faces; `storage`: of its matrix. Nothing where no dry run is going on.
void tape_kernel(const char* name, KernelKind kernel, Precision storage, int vectors, const Work& work);

}  // namespace plaq

// The launches behind SpinMatrices, in double precision.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// Spinors with 16 densities, or color vectors with one; subfields begin ..
// end - 1 (kernels/site/spin_matrix.hpp).
struct SpinMatrixCall {
  const Field *phi = nullptr, *eta = nullptr;
  Field* density = nullptr;
  int begin = 0, end = 0;
  bool overwrite = false;
};
template <class Target>
void launch_add_spin_matrix(const SpinMatrixCall& call, const Queue& queue);

// Densities of a propagator of spinors; `density`: 1x1, 16 subfields, overwritten.
template <class Target>
void launch_color_trace(const Field& propagator, Field& density, const Queue& queue);

}  // namespace plaq

// The launches behind shifts and products with gamma matrices for one
// machine, in single and double precision.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

struct ShiftCall {
  const Field* links = nullptr;  // null: no product with links
  int mu = 0;
  bool forward = true;
};

template <class Target, class T>
struct FieldLaunch {
  // All fields live on one extended geometry; of `in` and the links the halo is filled, of
  // `out` the owned sites are written.
  static void shift(Field& out, const Field& in, const ShiftCall& call, const Queue& queue);
  static void multiply_spins(Field& out, const GammaMatrix& gamma, const Field& in, const Queue& queue);
};

}  // namespace plaq

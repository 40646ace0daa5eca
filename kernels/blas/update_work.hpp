// The work of vector updates (kernels/blas/krylov_operations.hpp).
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/operator/kernel_work.hpp"

namespace plaq::blas {

// Work of one update of `active` right-hand sides.
template <class Op>
Work work_of(int active, const std::array<const Field*, Op::vectors>& vectors) {
  double bytes = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    bytes += bytes_of(vectors[i]->precision()) * (((Op::reads >> i) & 1u) + ((Op::writes >> i) & 1u));
  const double reals = static_cast<double>(vectors[0]->subfield_stride()) * vectors[0]->Ls() * active;
  const int complex_sums = Op::sums / 2;
  return {reals * 4 * (Op::vectors - 1 + complex_sums), reals * bytes};
}

// Enters it in the performance trace of a dry run; `vector`: one of those that are updated.
inline void record_update(const Queue& queue, const Field& vector, int active, const Work& work) {
  record(queue, {"vector_update", "vector_update", vector.precision(), 0, active * vector.Ls(), false, work});
}

}  // namespace plaq::blas

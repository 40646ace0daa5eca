// The launches of kernels/blas for one machine and precision.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// Vectors of any even number of reals a site, all alike.
template <class Target, class S, class Op>
struct UpdateLaunch {
  // Runs Op on both parities that the vectors hold, for the active right-hand sides only; without any,
  // nothing is launched. `coefficients` are at the vectors' location, of a batch of as many as the vectors
  // are. Sums are added to sums[first_sum + right-hand side * Op::sums + k].
  static void run(const std::array<const Field*, Op::vectors>& vectors, const CoefficientList& coefficients,
                  SumBuffer* sums, int first_sum, const Queue& queue);
};

template <class Target, class S>
struct SliceNormsLaunch {
  // |x|^2 of each subfield on each of this rank's time slices, added to sums[subfield * slices + t].
  // `coefficients`: of a batch of one, which takes each subfield's place in turn.
  static void run(const Field& x, const CoefficientList& coefficients, SumBuffer& sums, const Queue& queue);
};

}  // namespace plaq::blas

// The launches of kernels/blas for one machine and precision.
#pragma once

#include <array>

#include "core/field.hpp"
#include "core/sum_buffer.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// Runs Op on both parities that the vectors hold, for the active right-hand sides only; without any, nothing
// is launched. `coefficients` are at the vectors' location, of a batch of as many as the vectors have slots.
// Sums are added to sums[first_sum + slot * Op::sums + k].
template <class Target, class T, class Op>
void launch(const std::array<const Field*, Op::vectors>& vectors, const CoefficientList& coefficients,
            SumBuffer* sums, int first_sum, const Queue& queue);

// |x|^2 of each right-hand side on each of this rank's time slices, added to sums[slot * slices + t].
// `coefficients`: of a batch of one, which takes each slot's place in turn.
template <class Target, class T>
void launch_slice_norms(const Field& x, const CoefficientList& coefficients, SumBuffer& sums,
                        const Queue& queue);

}  // namespace plaq::blas

// The launches of kernels/blas for one machine and precision.
#pragma once

#include <array>

#include "core/field.hpp"
#include "core/sum_buffer.hpp"
#include "kernels/blas/kernel.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::blas {

// Runs Op on both parities that the vectors hold. `coefficients` are at the vectors' location, one for each slot.
// Sums are added to sums[slot * Op::sums + k].
template <class Target, class T, class Op>
void launch(const std::array<const Field*, Op::vectors>& vectors, const Coefficients* coefficients, SumBuffer* sums,
            const Queue& queue);

}  // namespace plaq::blas

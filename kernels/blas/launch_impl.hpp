// Body of the launch; kernel sources instantiate it.
#pragma once

#include "core/launch.hpp"
#include "kernels/blas/launch.hpp"

namespace plaq::blas {

template <class Target, class T, class Op>
void launch(const std::array<const Field*, Op::vectors>& vectors, const Coefficients* coefficients, SumBuffer* sums,
            const Queue& queue) {
  constexpr int reals = 24;  // spinors
  const Field& first = *vectors[0];
  for (int parity = 0; parity < 2; ++parity) {
    if (!first.holds(parity)) continue;
    Kernel<Target, T, reals, Op> kernel;
    for (std::size_t i = 0; i < Op::vectors; ++i) {
      expect(*vectors[i], location_of<Target>, precision_of<T>, 4, 3);
      kernel.vector[i] = SiteArray<Target, T, reals>(vectors[i]->data(0, parity), vectors[i]->slot_stride(),
                                                     vectors[i]->layout().site_stride);
    }
    kernel.coefficients = coefficients;
    const Domain domain =
        make_domain(first.geometry(), Region::all, parity, location_of<Target>, first.slots());
    if constexpr (Op::sums > 0) {
      reduce(domain, queue, kernel, *sums);
    } else {
      for_each(domain, queue, kernel);
    }
  }
}

}  // namespace plaq::blas

// The launches of kernels/blas for one machine, precision and shape of vectors.
#pragma once

#include <array>

#include "core/error.hpp"
#include "core/field.hpp"
#include "core/sum_buffer.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq::blas {

// N: reals of a site.
template <class Target, class S, int N, class Op>
struct UpdateLaunch {
  // Runs Op on both parities that the vectors hold, for the active right-hand sides only; without any,
  // nothing is launched. `coefficients` are at the vectors' location, of a batch of as many as the vectors
  // are. Sums are added to sums[first_sum + right-hand side * Op::sums + k].
  static void run(const std::array<const Field*, Op::vectors>& vectors, const CoefficientList& coefficients,
                  SumBuffer* sums, int first_sum, const Queue& queue);
};

template <class Target, class S, int N>
struct SliceNormsLaunch {
  // |x|^2 of each slot on each of this rank's time slices, added to sums[slot * slices + t].
  // `coefficients`: of a batch of one, which takes each slot's place in turn.
  static void run(const Field& x, const CoefficientList& coefficients, SumBuffer& sums, const Queue& queue);
};

template <int N>
struct SiteReals {
  static constexpr int value = N;
};

// Calls f(SiteReals<N>{}): 24, a spinor, or 6, a color vector.
template <class F>
void with_site_reals(const Field& x, F&& f) {
  if (x.reals_per_site() == 6) return f(SiteReals<6>{});
  require(x.reals_per_site() == 24, "vector updates are for spinors and color vectors");
  f(SiteReals<24>{});
}

}  // namespace plaq::blas

// The launches of kernels/blas for one machine and precision, and what their vectors have in common.
#pragma once

#include <array>
#include <string>
#include <vector>

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
struct SlicesLaunch {
  // |x|^2 of each right-hand side on each of this rank's time slices t, added to
  // sums[t * batch + right-hand side]. `coefficients`: of the batch.
  static void norms(const Field& x, const CoefficientList& coefficients, SumBuffer& sums, const Queue& queue);
  // to = from on the wanted slices, [right-hand side * time slices + t]. `coefficients`: of a batch of one,
  // which takes each right-hand side's place in turn.
  static void copy(const Field& to, const Field& from, const std::vector<char>& wanted,
                   const CoefficientList& coefficients, const Queue& queue);
};

// Throws an internal error unless `vector` is at the location, in the precision and of the sites,
// components and right-hand sides that `like` has: whole complex numbers, in half precision with a scale a
// site.
void expect_alike(const Field& vector, const Field& like, Location location, Precision precision);

// "single" of spinors, "single 6" of vectors with other numbers of reals a site: what a tuner tells apart.
std::string shape_name(const Field& vector);

}  // namespace plaq::blas

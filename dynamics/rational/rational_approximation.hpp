// Best approximations of products of powers by rational functions: the largest relative error on an
// interval is the least that the degree allows.
#pragma once

#include <limits>

#include "dynamics/rational/power_product.hpp"
#include "dynamics/rational/rational_function.hpp"
#include "dynamics/rational/spectral_range.hpp"

namespace plaq {

/// |r(x)/f(x) - 1| <= delta for all x of the range; the error takes the values delta and -delta in turn at
/// 2n + 2 points. Coefficients are rounded to double, which adds about n 1e-16 to the error.
struct RationalApproximation {
  RationalFunction function;  // r
  PowerProduct target;        // f
  SpectralRange range;
  double delta = 0;
  /// 1/r for 1/f. Its largest error is delta/(1 - delta).
  RationalApproximation inverse() const;
};

/// The least delta that coefficients in double precision can keep.
inline constexpr double least_delta = 16 * std::numeric_limits<double>::epsilon();

/// The largest degree of an approximation.
inline constexpr int most_degree = 64;

/// Best approximation of `f` of degree n = `degree` on `range`: Zolotarev's function for x^(1/2) and
/// x^(-1/2), Remez' algorithm otherwise (zolotarev.hpp, remez.hpp). Throws Error(job_file) unless 0 < low <
/// high, both finite, and 1 <= degree <= most_degree, and if delta is below least_delta. Throws
/// Error(not_converged) if Remez' algorithm finds no such function with real negative zeros and poles.
RationalApproximation approximate(const PowerProduct& f, SpectralRange range, int degree);

/// Best approximation of the least degree that has delta <= `wanted`. Throws Error(job_file) unless 0 < low <
/// high, both finite, and least_delta <= wanted < 1, and if most_degree is not enough. Throws
/// Error(not_converged) like approximate().
RationalApproximation approximate_within(const PowerProduct& f, SpectralRange range, double wanted);

}  // namespace plaq

// Remez' algorithm for rational functions: the best approximation of any product of powers on [low, high].
//
// At 2n + 2 points x_k the equations P(x_k) = f(x_k) (1 + (-1)^k E) Q(x_k) for polynomials P, Q of degree n
// and the error E are a symmetric eigenvalue problem for (Q, E). The weights
//   w_k = 1/prod_{i != k} (x_k - x_i)
// alternate in sign and are orthogonal to all polynomials of degree 2n, so that for j = 0 .. n
//   sum_k |w_k| f(x_k) x_k^j ((-1)^k + E) Q(x_k) = 0.
// One eigenvector alone has a Q without a change of sign at the points. The points then move to the extrema
// of the error. S.-I. Filip, Y. Nakatsukasa, L. N. Trefethen, B. Beckermann, SIAM J. Sci. Comput. 40 (2018)
// A2427, arXiv:1705.10132.
#pragma once

#include "dynamics/rational/rational_approximation.hpp"

namespace plaq {

/// Best approximation of `f` of degree n = `degree` >= 1 on `range`, 0 < low < high, in floating-point
/// numbers of 60 decimal digits. The coefficients are those of the exact function, rounded to double. The
/// time grows as n^3. With a larger `tolerance` it ends sooner: r is not the best function then, and
/// that one has an error between delta/(1 + tolerance) and delta. Throws Error(not_converged) if the points
/// do not converge, or if r has zeros or poles that are not real and negative: this happens if f is close to
/// a rational function, such as x^1.
RationalApproximation remez(const PowerProduct& f, SpectralRange range, int degree, double tolerance = 1e-15);

}  // namespace plaq

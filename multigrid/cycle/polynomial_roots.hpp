// The polynomial of a polynomial smoother: of all p with real coefficients, p(0) = 1 and one degree, the one
// that makes the mean of |p(A) r|^2 / |r|^2 over some residuals least.
//
// Real coefficients are enough for operators whose eigenvalues come in pairs lambda, lambda*, as all with
// a Gamma5 have. The fit is GMRES in the real scalar product of all residuals together; the roots of its
// polynomial are harmonic Ritz values (Goossens and Roose, Numer. Linear Algebra Appl. 6 (1999) 281),
// eigenvalues of a small matrix. No powers of A are formed, so high degrees do no harm.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/operator/linear_operator.hpp"

namespace plaq {

struct ResidualPolynomial {
  // theta* right behind theta. Large ones first, each next one far from those before (order of Leja):
  // products of some of the factors 1 - A / theta then stay small.
  std::vector<std::complex<double>> roots;
  double reduction = 0;  // root of the least mean
};

inline constexpr int most_roots = 12;

// `r`: a batch of residuals, which should be what the smoother will see; those that are 0 do not count. The
// same on any process grid. Takes degree + 1 such batches of memory for a while. Waits; collective.
//
// Nothing where there is no such polynomial, or none that smooths: numbers that are not finite, residuals
// that a lower degree solves, a root without a positive real part.
std::optional<ResidualPolynomial> polynomial_roots(LinearOperator& a, const ProcessGrid& grid, const Field& r,
                                                   int degree);

}  // namespace plaq

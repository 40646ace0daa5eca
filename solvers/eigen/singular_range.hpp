// The smallest and the largest singular value of an operator: for Hermitian ones the range of |eigenvalues|,
// as optimal domain-wall weights want it of H_w = gamma5 D_w, whose singular values are those of D_w.
#pragma once

#include "solvers/eigen/lanczos.hpp"

namespace plaq {

struct SingularRangeParameters {
  int basis = 32;
  double accuracy = 1e-3;         // of both eigenvalues of A^dagger A, relative to themselves
  int max_applications = 100000;  // of A^dagger A, for each of them
  int filter_degree = 40;         // LanczosParameters::filter_degree, for the smallest
  int check_every = 0;            // LanczosParameters::check_every, for the smallest
};

struct SingularRange {
  LanczosReport low, high;           // of A^dagger A, one eigenvalue each, if any was found
  double smallest = 0, largest = 0;  // square roots of these eigenvalues
  // Range with error bounds, sqrt(value - bound) or 0, and sqrt(value + bound): [below, above] holds what was
  // found, on the safe side.
  double below = 0, above = 0;
  // Products with A^dagger A itself, and in lower precision.
  int applications = 0, low_applications = 0;
  bool converged() const { return low.converged() && high.converged(); }
};

// Collective; `start` as of Lanczos::run, its first vector for both ends. `a` has an adjoint. Its workspace
// is that of NormalOperator, Lanczos and ChebyshevFilter.
SingularRange singular_range(LinearOperator& a, const ProcessGrid& grid, const Field& start,
                             const SingularRangeParameters& parameters = {});

// Acts like singular_range() with Lanczos on `low_a`, which is `a` in lower precision. A^dagger A itself then
// measures the vector v of each end, value = (v, A^dagger A v) and bound = ||A^dagger A v - value v||, v of
// norm 1: all rounding of the lower precision, of v and of its operator, is in the bound, and the value is
// that of `a`. An end whose bound misses the accuracy is searched with `a` from the start.
SingularRange singular_range(LinearOperator& a, LinearOperator& low_a, const ProcessGrid& grid,
                             const Field& start, const SingularRangeParameters& parameters = {});

}  // namespace plaq

// The clover term of Sheikholeslami and Wohlert as a dense 12x12 matrix at each site, and the Wilson matrix
// with it:
//   M_clover = M + A,   A = -(1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu,
//   sigma_mu,nu = (i/2) [gamma_mu, gamma_nu],   F_mu,nu = -(i/8) (Q_mu,nu - Q_mu,nu^dagger),
// Q the sum of the four plaquettes of the plane that start and end at the site and turn from mu to nu. The
// trace of F is not removed. c is one number in space and one with time: c_sw both, or c_R/xi and c_T.
#pragma once

#include <utility>
#include <vector>

#include "tests/reference/gauge.hpp"
#include "tests/reference/solve.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq::reference {

struct CloverParameters {
  WilsonParameters wilson;
  double spatial = 0.0, temporal = 0.0;
  bool exponential = false;
  double twisted_mass = 0.0;  // mu of i mu gamma5
  double diagonal() const { return wilson.mass + 1 + 3 * wilson.nu / wilson.xi; }
};

// Hermitian, trace included.
ColorMatrix clover_field_strength(const GaugeField& gauge, int site, int mu, int nu);
SpinMatrix sigma(int mu, int nu);

using Matrix12 = Matrix<12>;                   // row and column: 3 spin + color
using CloverMatrices = std::vector<Matrix12>;  // [site]
// A, without the diagonal d of M; d exp(A/d) - d for exponential clover quarks. With i mu gamma5.
CloverMatrices clover_matrices(const CloverParameters& parameters, const GaugeField& gauge);

// Gauss's elimination with rows exchanged; the determinant comes along.
template <int N>
struct Inverted {
  Matrix<N> inverse;
  Complex determinant;
};
template <int N>
Inverted<N> invert(Matrix<N> m) {
  Inverted<N> result{Matrix<N>::unit(), 1.0};
  auto& x = result.inverse;
  for (int k = 0; k < N; ++k) {
    int row = k;
    for (int i = k + 1; i < N; ++i)
      if (std::abs(m(i, k)) > std::abs(m(row, k))) row = i;
    if (row != k) {
      std::swap(m.element[row], m.element[k]);
      std::swap(x.element[row], x.element[k]);
      result.determinant = -result.determinant;
    }
    const Complex pivot = m(k, k);
    result.determinant *= pivot;
    for (int j = 0; j < N; ++j) {
      m(k, j) /= pivot;
      x(k, j) /= pivot;
    }
    for (int i = 0; i < N; ++i) {
      if (i == k) continue;
      const Complex factor = m(i, k);
      for (int j = 0; j < N; ++j) {
        m(i, j) -= factor * m(k, j);
        x(i, j) -= factor * x(k, j);
      }
    }
  }
  return result;
}

SpinorField times(const CloverMatrices& a, const SpinorField& in);

// M and its adjoint on the whole lattice, the matrices being those of clover_matrices().
SpinorField clover_dirac_apply(const CloverParameters& parameters, const GaugeField& gauge,
                               const CloverMatrices& a, const SpinorField& in);
SpinorField clover_dirac_dagger(const CloverParameters& parameters, const GaugeField& gauge,
                                const CloverMatrices& a, const SpinorField& in);

Solution solve(const CloverParameters& parameters, const GaugeField& gauge, const CloverMatrices& a,
               const SpinorField& b, double tolerance = 1e-13, int max_iterations = 20000);

}  // namespace plaq::reference

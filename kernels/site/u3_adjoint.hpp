// The chain rule of the unitary factor of a matrix (kernels/site/su3_polar.hpp), V = W H with H Hermitian and
// positive, for functions with dS = Re tr(dW G^dagger). Since W^dagger dW = X is antihermitian and
// H X + X H = W^dagger dV - dV^dagger W,
//   dS = Re tr(dV G_V^dagger),   G_V = -2 W R,   H R + R H = (G^dagger W - W^dagger G)/2.
// In the eigenbasis of H, elements of R are those of the right side over h_i + h_j: G_V grows as one over
// the smallest eigenvalue of H where V is nearly singular.
//
// Programs of MILC and others take the square roots of h_i^2 + delta for the eigenvalues where one of h_i^2,
// those of V^dagger V, is below delta (HISQ_FORCE_FILTER; Bazavov et al., Phys. Rev. D 82 (2010) 074501).
// The force is finite everywhere then, and there not the one of the action: a Metropolis step corrects for
// it.
#pragma once

#include "core/algebra/su3.hpp"
#include "core/field/views.hpp"
#include "kernels/site/matrix_sum.hpp"
#include "kernels/site/su3_polar.hpp"

namespace plaq {
namespace detail {

// Jacobi's rotation in rows and columns P < Q: h <- J^dagger h J, b <- b J, in lanes that are open. The
// others keep the bits of h and b.
template <int P, int Q, class Mask, class Real>
PLAQ_HD void rotate_away(const Mask& open, Matrix3<Real>& h, Matrix3<Real>& b) {
  const Real zero = Real(0.0), one = Real(1.0);
  const auto a = h.e[P][Q];
  const Real d = h.e[Q][Q].re - h.e[P][P].re;
  const Real root = sqrt(fma(Real(4.0), fma(a.im, a.im, a.re * a.re), d * d));
  const Real sum = select(at_most(zero, d), d + root + Real(1e-300), d - root);
  const Real turn = select(open, Real(2.0) / sum, zero);
  const auto z = scale(turn, a);
  const Real c = one / sqrt(fma(z.im, z.im, fma(z.re, z.re, one)));
  const auto s = scale(c, z);
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    auto turn_columns = [&](Matrix3<Real>& m) {
      const auto p = m.e[r][P], q = m.e[r][Q];
      m.e[r][P] = fma(c, p, -conj_times(s, q));
      m.e[r][Q] = fma(c, q, s * p);
    };
    turn_columns(h);
    turn_columns(b);
  }
#pragma unroll
  for (int r = 0; r < 3; ++r) {
    const auto p = h.e[P][r], q = h.e[Q][r];
    h.e[P][r] = fma(c, p, -(s * q));
    h.e[Q][r] = fma(c, q, conj_times(s, p));
  }
}

// Eigenvalues of a Hermitian matrix, on the diagonal of h, and its eigenvectors, columns of b: h = b diag
// b^dagger. By cyclic rotations of Jacobi, which converge quadratically: three to five sweeps are usual. No
// lane depends on another.
template <class Real>
PLAQ_HD void diagonalise(Matrix3<Real>& h, Matrix3<Real>& b) {
  constexpr int most = 10;
  b = unit_matrix<Real>();
  auto square = [&](int i, int j) { return fma(h.e[i][j].im, h.e[i][j].im, h.e[i][j].re * h.e[i][j].re); };
  const Real whole = real_trace_times_dagger(h, h);
#pragma unroll 1
  for (int sweep = 0; sweep < most; ++sweep) {
    const Real off = square(0, 1) + square(0, 2) + square(1, 2);
    const auto open = at_most(Real(1e-33) * whole, off);
    if (!any(open)) break;
    rotate_away<0, 1>(open, h, b);
    rotate_away<0, 2>(open, h, b);
    rotate_away<1, 2>(open, h, b);
  }
}

}  // namespace detail

// G_V of G in the chain rule above; V = W H. `filter` is delta. `filtered`: 1 where it acts, else 0.
template <class Real>
PLAQ_HD Matrix3<Real> unitary_gradient(const Matrix3<Real>& v, const Matrix3<Real>& w, const Matrix3<Real>& g,
                                       const Real& filter, Real& filtered) {
  const Real zero = Real(0.0), half = Real(0.5);
  const auto whole = dagger_times(w, v);
  auto h = detail::scale(half, whole + dagger(whole));
  Matrix3<Real> basis;
  detail::diagonalise(h, basis);

  const auto product = dagger_times(g, w);
  auto r = dagger_times(basis, detail::scale(half, product - dagger(product)) * basis);
  Real eigenvalue[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) eigenvalue[i] = h.e[i][i].re * h.e[i][i].re;
  const auto regular =
      at_most(filter, eigenvalue[0]) & at_most(filter, eigenvalue[1]) & at_most(filter, eigenvalue[2]);
  filtered = select(regular, zero, Real(1.0));
  const Real delta = select(regular, zero, filter);
#pragma unroll
  for (int i = 0; i < 3; ++i) eigenvalue[i] = sqrt(eigenvalue[i] + delta);
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) r.e[i][j] = scale(Real(1.0) / (eigenvalue[i] + eigenvalue[j]), r.e[i][j]);
  return scaled(-2.0, w * (basis * times_dagger(r, basis)));
}

// From the gradient on W to that on V, in its place. Sums: links that the filter acts on. Inner index of the
// launch: direction mu.
template <class TargetT, class T>
struct UnitaryLinkGradient {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;
  static constexpr int sums = 1;

  GaugeView<TargetT, T> fat, unitary, gradient;  // V, W, G
  T filter;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu,
                          typename Arch::RealDouble (&value)[sums]) const {
    Real filtered;
    gradient.store(mu, parity, site,
                   unitary_gradient(fat.load(mu, parity, site), unitary.load(mu, parity, site),
                                    gradient.load_mutable(mu, parity, site), Real(filter), filtered));
    value[0] = to_double(filtered);
  }
  static PLAQ_HD int place(int) { return 0; }
};

}  // namespace plaq

// From a general matrix V to SU(3) by its polar decomposition:
//   P(V) = W / det(W)^(1/3),   W = V (V^dagger V)^(-1/2),   -pi/3 < arg det(W)^(1/3) <= pi/3.
// W is the unitary matrix with the largest Re tr(W^dagger V), the nearest one; its determinant's phase is
// then taken away ("unit circle" projection of Kamleh, Leinweber and Williams, Phys. Rev. D 70 (2004)
// 014502). Where V is not a multiple of a unitary matrix, other members of SU(3) may have a larger Re tr. P(g
// V h) = g P(V) h for g and h in SU(3).
#pragma once

#include "core/algebra/su3.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

namespace detail {

// Element (i, j): the cofactor of v_ij. v^(-1) = transpose / det v.
template <class Real>
PLAQ_HD Matrix3<Real> cofactors(const Matrix3<Real>& v) {
  Matrix3<Real> c;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
      c.e[i][j] = v.e[k][m] * v.e[l][n] - v.e[k][n] * v.e[l][m];
    }
  return c;
}

template <class Real>
PLAQ_HD Matrix3<Real> scale(const Real& s, const Matrix3<Real>& a) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) r.e[i][j] = plaq::scale(s, a.e[i][j]);
  return r;
}

template <class Real>
PLAQ_HD Matrix3<Real> times(Matrix3<Real> a, const Complex<Real>& z) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) a.e[i][j] = a.e[i][j] * z;
  return a;
}

template <class T>
requires std::is_floating_point_v<T> PLAQ_HD Complex<T> inverse_cube_root_of_phase(const Complex<T>& z) {
  const T angle = std::atan2(z.im, z.re) / 3;
  return {std::cos(angle), -std::sin(angle)};
}
#if !defined(__CUDACC__)
template <class T, int N>
PLAQ_HD Complex<Lanes<T, N>> inverse_cube_root_of_phase(const Complex<Lanes<T, N>>& z) {
  Complex<Lanes<T, N>> root;
  for (int lane = 0; lane < N; ++lane) {
    const auto one = inverse_cube_root_of_phase(Complex<T>{z.re[lane], z.im[lane]});
    root.re.set(lane, one.re);
    root.im.set(lane, one.im);
  }
  return root;
}
#endif

// W, and |det V|^2, V scaled to |V|^2 = 3: where it is rounding, |det V| < 16 epsilon, W is not defined.
//
// Newton's iteration, X <- (g X + (g X)^(-dagger)) / 2, with the scale factor g of Higham, SIAM J. Sci.
// Stat. Comput. 7 (1986) 1160, in the Frobenius norm. It squares no condition number, as (V^dagger V) would,
// and converges quadratically. After the first step all singular values are 1 + e with e >= 0, so that
// |X|^2 - 3 >= 2 e, and a step leaves e^2/2: the step with e^2/2 below rounding is the last. Four or five are
// usual; `most` are enough for the least determinant that is let through. A lane that has had its last step
// keeps what it has, so that no lane depends on another. The error is at most rounding over the product of
// the two smallest singular values.
template <class Real>
PLAQ_HD Matrix3<Real> unitary_factor(const Matrix3<Real>& v, Real& squared_determinant) {
  using T = typename ScalarOf<Real>::type;
  constexpr bool single = std::is_same_v<T, float>;
  constexpr int most = single ? 8 : 10;
  const Real close = Real(T(3) + (single ? T(4e-4) : T(2e-8)));

  auto x = scale(sqrt(Real(3) / real_trace_times_dagger(v, v)), v);
  auto open = at_most(Real(T(0)), Real(T(1)));  // lanes that take the step
#pragma unroll 1
  for (int k = 0; k < most; ++k) {
    const auto c = cofactors(x);
    const auto det = fma(x.e[0][2], c.e[0][2], fma(x.e[0][1], c.e[0][1], x.e[0][0] * c.e[0][0]));
    const Real det2 = fma(det.im, det.im, det.re * det.re);
    if (k == 0) squared_determinant = det2;
    // x^(-dagger) = c^* det / |det|^2
    const Real cc = real_trace_times_dagger(c, c), xx = real_trace_times_dagger(x, x);
    const Real g2 = sqrt(cc / (det2 * xx));  // |x^-1| / |x|
    const Real g = sqrt(g2);
    const Real mine = Real(0.5) * g;
    const auto other = plaq::scale(Real(0.5) / (g * det2), det);
    Matrix3<Real> next;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) next.e[i][j] = conj_fma(c.e[i][j], other, plaq::scale(mine, x.e[i][j]));
    x = select(open, next, x);
    if (k > 0) open = open & at_most(close, xx);
    if (!any(open)) break;
  }
  return x;
}

// True if a matrix with this determinant, which unitary_factor found, is singular.
template <class Real>
PLAQ_HD auto is_singular(const Real& squared_determinant) {
  using T = typename ScalarOf<Real>::type;
  const Real tiny = Real(std::is_same_v<T, float> ? T(2e-6) : T(4e-15));
  return at_most(squared_determinant, tiny * tiny);
}

}  // namespace detail

// P(V), and otherwise() where V is singular to rounding.
template <class Real, class Otherwise>
PLAQ_HD Matrix3<Real> project_polar(const Matrix3<Real>& v, const Otherwise& otherwise) {
  Real squared_determinant = Real(0);
  const auto x = detail::unitary_factor(v, squared_determinant);
  const auto p = detail::times(x, detail::inverse_cube_root_of_phase(determinant(x)));
  const auto singular = detail::is_singular(squared_determinant);
  return any(singular) ? select(singular, otherwise(), p) : p;
}

// W, of U(3), and otherwise() where V is singular to rounding. W(g V h) = g W(V) h for g and h in U(3).
template <class Real, class Otherwise>
PLAQ_HD Matrix3<Real> project_unitary(const Matrix3<Real>& v, const Otherwise& otherwise) {
  Real squared_determinant = Real(0);
  const auto w = detail::unitary_factor(v, squared_determinant);
  const auto singular = detail::is_singular(squared_determinant);
  return any(singular) ? select(singular, otherwise(), w) : w;
}

}  // namespace plaq

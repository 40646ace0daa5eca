// The exponential of the Lie algebra of SU(3) by Cayley and Hamilton, as Morningstar and Peardon, Phys. Rev.
// D 69 (2004) 054501: with X = i Q, Q hermitian, c0 = det Q, c1 = tr Q^2 / 2 (eqs. 14, 15),
//   Q^3 = c1 Q + c0,   exp(i Q) = f0 + f1 Q + f2 Q^2.
// The f come from the Taylor series, whose powers are taken down by Q^3; Q is first halved k times until
// c1 < 1, and the matrix squared k times (mostly none). Their closed form, eqs. (29) to (34), is as good for
// c1 < 1; but it takes the distance 2w of two eigenvalues from c0 and c1, where w^2 is lost in the rounding
// of c1, so that for large Q with eigenvalues close to each other it is off by |Q|^3 roundings. The error is
// rounding times max(1, |Q|). No branch depends on one lane, and no function of libm enters.
#pragma once

#include <type_traits>

#include "kernels/site/lane_wise.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

template <class Real>
struct ExpCoefficients {
  Complex<Real> f0, f1, f2;
};

namespace detail {

template <class T>
struct ExpSeries {
  // Eigenvalues are below sqrt(4/3): what is left out is below a tenth of a rounding.
  static constexpr int last = std::is_same_v<T, float> ? 12 : 20;
  T inverse_factorial[last + 1];

  constexpr ExpSeries() : inverse_factorial{} {
    double factorial = 1;  // exact up to 22!
    for (int n = 0; n <= last; ++n) {
      if (n > 0) factorial *= n;
      inverse_factorial[n] = static_cast<T>(1 / factorial);
    }
  }
};

}  // namespace detail

// For c1 < 1, by Horner's rule in X: X^3 = -c1 X - i c0.
template <class Real>
PLAQ_HD ExpCoefficients<Real> exp_coefficients(const Real& c0, const Real& c1) {
  using T = typename ScalarOf<Real>::type;
  constexpr detail::ExpSeries<T> series;
  constexpr int last = series.last;
  const Real zero = Real(T(0));
  Complex<Real> p0{Real(series.inverse_factorial[last - 2]), zero};
  Complex<Real> p1{Real(series.inverse_factorial[last - 1]), zero};
  Complex<Real> p2{Real(series.inverse_factorial[last]), zero};
#pragma unroll
  for (int n = last - 3; n >= 0; --n) {
    const Complex<Real> q0{fma(c0, p2.im, Real(series.inverse_factorial[n])), -c0 * p2.re};
    const Complex<Real> q1 = fma(-c1, p2, p0);
    p2 = p1;
    p1 = q1;
    p0 = q0;
  }
  return {p0, {-p1.im, p1.re}, -p2};
}

namespace detail {

// c1 of x, and how to bring it below 1: the power of two to scale with. Numbers that are not finite are left
// alone.
template <class Real>
struct ExpScale {
  Real shrink, c1;
};
template <class Real>
PLAQ_HD ExpScale<Real> exp_scale(const Su3Algebra<Real>& x) {
  using T = typename ScalarOf<Real>::type;
  constexpr int most = std::is_same_v<T, float> ? 64 : 512;  // finite c1 are below 4^most
  ExpScale<Real> s{Real(T(1)), Real(T(0.5)) * scalar_product(x, x)};
  for (int k = 0; k < most; ++k) {
    const auto large = at_most(Real(T(1)), s.c1);
    if (!any(large)) break;
    s.shrink = select(large, Real(T(0.5)) * s.shrink, s.shrink);
    s.c1 = select(large, Real(T(0.25)) * s.c1, s.c1);
  }
  return s;
}

}  // namespace detail

// exp(X)
template <class Real>
PLAQ_HD Matrix3<Real> exp(const Su3Algebra<Real>& large) {
  using T = typename ScalarOf<Real>::type;
  auto [shrink, c1] = detail::exp_scale(large);
  const auto x = scale(shrink, large);
  // Q = -i X: its diagonal q, and above it -i o.
  const Real q[3] = {x.d[0], x.d[1], -(x.d[0] + x.d[1])};
  auto norm = [&](int k) { return fma(x.o[k].im, x.o[k].im, x.o[k].re * x.o[k].re); };
  const Real n01 = norm(0), n02 = norm(1), n12 = norm(2);
  const auto cycle = (x.o[0] * x.o[2]) * conj(x.o[1]);
  const Real c0 = fma(Real(2), cycle.im, fma(q[0], q[1] * q[2], -fma(q[0], n12, fma(q[1], n02, q[2] * n01))));
  const auto c = exp_coefficients(c0, c1);

  // Q^2: real diagonal, (Q^2)_ij = sum_k Q_ik Q_kj above it.
  const Complex<Real> o01 = {x.o[0].im, -x.o[0].re}, o02 = {x.o[1].im, -x.o[1].re},
                      o12 = {x.o[2].im, -x.o[2].re};
  const Real d0 = fma(q[0], q[0], n01 + n02), d1 = fma(q[1], q[1], n01 + n12),
             d2 = fma(q[2], q[2], n02 + n12);
  const auto s01 = fma(q[0] + q[1], o01, o02 * conj(o12));
  const auto s02 = fma(q[0] + q[2], o02, o01 * o12);
  const auto s12 = fma(q[1] + q[2], o12, conj(o01) * o02);

  Matrix3<Real> e;
  auto diagonal = [&](int i, const Real& square) { e.e[i][i] = fma(square, c.f2, fma(q[i], c.f1, c.f0)); };
  diagonal(0, d0);
  diagonal(1, d1);
  diagonal(2, d2);
  auto pair = [&](int i, int j, const Complex<Real>& first, const Complex<Real>& second) {
    e.e[i][j] = fma(c.f2, second, c.f1 * first);
    e.e[j][i] = conj_fma(second, c.f2, conj_times(first, c.f1));
  };
  pair(0, 1, o01, s01);
  pair(0, 2, o02, s02);
  pair(1, 2, o12, s12);

  for (;;) {  // square as often as x was halved
    const auto halved = at_most(shrink, Real(T(0.5)));
    if (!any(halved)) return e;
    shrink = select(halved, Real(T(2)) * shrink, shrink);
    const auto square = e * e;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        e.e[i][j] = {select(halved, square.e[i][j].re, e.e[i][j].re),
                     select(halved, square.e[i][j].im, e.e[i][j].im)};
  }
}

}  // namespace plaq

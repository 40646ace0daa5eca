// exp(H) of a Hermitian 6x6 matrix H, and its derivative, by Taylor's series of H/2^k and k squarings.
#pragma once

#include "kernels/dirac/clover/chiral_block.hpp"

namespace plaq {

template <class Real>
PLAQ_HD ChiralBlock<Real> zero_block() {
  ChiralBlock<Real> a;
  for (int i = 0; i < 6; ++i) a.d[i] = Real(0);
  for (int k = 0; k < 15; ++k) a.o[k] = {Real(0), Real(0)};
  return a;
}

template <class Real>
PLAQ_HD ChiralBlock<Real> scale(const Real& s, ChiralBlock<Real> a) {
  for (int i = 0; i < 6; ++i) a.d[i] = s * a.d[i];
  for (int k = 0; k < 15; ++k) a.o[k] = scale(s, a.o[k]);
  return a;
}

namespace detail {

// Terms of the series, for |H / 2^k| <= 1.
inline constexpr int exponential_terms = 20;

// s v + w
template <class Real>
PLAQ_HD HalfSpinor<Real> add_scaled(const Real& s, const HalfSpinor<Real>& v, const HalfSpinor<Real>& w) {
  HalfSpinor<Real> r;
  for (int i = 0; i < 6; ++i) r.s[i / 3].c[i % 3] = fma(s, v.s[i / 3].c[i % 3], w.s[i / 3].c[i % 3]);
  return r;
}

template <class Real>
PLAQ_HD HalfSpinor<Real> column_of(const ChiralBlock<Real>& a, int column) {
  HalfSpinor<Real> v;
#pragma unroll
  for (int i = 0; i < 6; ++i) v.s[i / 3].c[i % 3] = element(a, i, column);
  return v;
}

template <class Real>
PLAQ_HD void set_column(ChiralBlock<Real>& a, int column, const HalfSpinor<Real>& v) {
  a.d[column] = v.s[column / 3].c[column % 3].re;
#pragma unroll
  for (int i = column + 1; i < 6; ++i) a.o[below_diagonal(i, column)] = v.s[i / 3].c[i % 3];
}

template <class Real>
PLAQ_HD HalfSpinor<Real> unit_vector(int place) {
  HalfSpinor<Real> v;
#pragma unroll
  for (int i = 0; i < 6; ++i) v.s[i / 3].c[i % 3] = {Real(i == place ? 1 : 0), Real(0)};
  return v;
}

// a^2
template <class Real>
PLAQ_HD ChiralBlock<Real> squared(const ChiralBlock<Real>& a) {
  ChiralBlock<Real> r;
#pragma unroll
  for (int j = 0; j < 6; ++j) set_column(r, j, a * column_of(a, j));
  return r;
}

// 2^-k
template <class Real>
PLAQ_HD Real halved(int halvings) {
  using T = typename ScalarOf<Real>::type;
  T s = 1;
  for (int k = 0; k < halvings; ++k) s *= T(0.5);
  return Real(s);
}

template <class Real>
PLAQ_HD Real reciprocal(int n) {
  using T = typename ScalarOf<Real>::type;
  return Real(T(1) / T(n));
}

}  // namespace detail

// exp(H)
template <class Real>
PLAQ_HD ChiralBlock<Real> exponential(const ChiralBlock<Real>& full, int halvings) {
  const auto h = scale(detail::halved<Real>(halvings), full);
  ChiralBlock<Real> e;
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    const auto unit = detail::unit_vector<Real>(j);
    auto p = unit;
#pragma unroll 1
    for (int n = detail::exponential_terms; n > 0; --n)
      p = detail::add_scaled(detail::reciprocal<Real>(n), h * p, unit);
    detail::set_column(e, j, p);
  }
  for (int k = 0; k < halvings; ++k) e = detail::squared(e);
  return e;
}

// The integral over s from 0 to 1 of exp(s H) W exp((1-s) H) of a Hermitian W: the derivative of exp(H) along
// W. Each halving is undone by D <- (D E + E D)/2, E <- E^2.
template <class Real>
PLAQ_HD ChiralBlock<Real> exponential_derivative(const ChiralBlock<Real>& full, const ChiralBlock<Real>& w,
                                                 int halvings) {
  using T = typename ScalarOf<Real>::type;
  const auto h = scale(detail::halved<Real>(halvings), full);
  ChiralBlock<Real> e, d;
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    const auto unit = detail::unit_vector<Real>(j);
    const HalfSpinor<Real> zero = detail::unit_vector<Real>(6);
    auto p = unit, q = zero;
#pragma unroll 1
    for (int n = detail::exponential_terms; n > 0; --n) {
      const Real r = detail::reciprocal<Real>(n);
      q = detail::add_scaled(r, h * q, detail::add_scaled(r, w * p, zero));
      p = detail::add_scaled(r, h * p, unit);
    }
    detail::set_column(e, j, p);
    detail::set_column(d, j, q);
  }
  for (int k = 0; k < halvings; ++k) {
    ChiralBlock<Real> sum;
#pragma unroll
    for (int j = 0; j < 6; ++j) {
      const auto left = e * detail::column_of(d, j), right = d * detail::column_of(e, j);
      detail::set_column(sum, j, detail::add_scaled(Real(T(1)), left, right));
    }
    d = scale(Real(T(0.5)), sum);
    e = detail::squared(e);
  }
  return d;
}

// Halvings of A/d: its norm is at most three times the coefficient over d, since |F| <= 1.
inline int halvings_of_exponent(double spatial, double temporal, double diagonal) {
  const auto size = [](double c) { return c < 0 ? -c : c; };
  double bound = 1.5 * (size(spatial) + size(temporal)) / size(diagonal);
  int halvings = 0;
  for (; bound > 1 && halvings < 60; bound /= 2) ++halvings;
  return halvings;
}

}  // namespace plaq

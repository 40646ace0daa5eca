// 3x3 complex matrices and color vectors in registers.
#pragma once

#include "core/algebra/complex.hpp"

namespace plaq {

template <class Real>
struct ColorVector {
  Complex<Real> c[3];
};

// Row-major: e[row][column].
template <class Real>
struct Matrix3 {
  Complex<Real> e[3][3];
};

template <class Real>
PLAQ_HD Matrix3<Real> zero_matrix() {
  Matrix3<Real> m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.e[i][j] = {Real(0), Real(0)};
  return m;
}

template <class Real>
PLAQ_HD Matrix3<Real> unit_matrix() {
  auto m = zero_matrix<Real>();
  for (int i = 0; i < 3; ++i) m.e[i][i].re = Real(1);
  return m;
}

// u v
template <class Real>
PLAQ_HD ColorVector<Real> operator*(const Matrix3<Real>& u, const ColorVector<Real>& v) {
  ColorVector<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i) r.c[i] = fma(u.e[i][2], v.c[2], fma(u.e[i][1], v.c[1], u.e[i][0] * v.c[0]));
  return r;
}

// u^dagger v
template <class Real>
PLAQ_HD ColorVector<Real> dagger_times(const Matrix3<Real>& u, const ColorVector<Real>& v) {
  ColorVector<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
    r.c[i] = conj_fma(u.e[2][i], v.c[2], conj_fma(u.e[1][i], v.c[1], conj_times(u.e[0][i], v.c[0])));
  return r;
}

template <class Real>
PLAQ_HD Matrix3<Real> operator*(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      r.e[i][j] = fma(a.e[i][2], b.e[2][j], fma(a.e[i][1], b.e[1][j], a.e[i][0] * b.e[0][j]));
  return r;
}

// a b^dagger
template <class Real>
PLAQ_HD Matrix3<Real> times_dagger(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      r.e[i][j] =
          conj_fma(b.e[j][2], a.e[i][2], conj_fma(b.e[j][1], a.e[i][1], conj_times(b.e[j][0], a.e[i][0])));
  return r;
}

// a^dagger b
template <class Real>
PLAQ_HD Matrix3<Real> dagger_times(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      r.e[i][j] =
          conj_fma(a.e[2][i], b.e[2][j], conj_fma(a.e[1][i], b.e[1][j], conj_times(a.e[0][i], b.e[0][j])));
  return r;
}

template <class Real>
PLAQ_HD Matrix3<Real> operator+(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) r.e[i][j] = a.e[i][j] + b.e[i][j];
  return r;
}

template <class Real>
PLAQ_HD Matrix3<Real> operator-(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) r.e[i][j] = a.e[i][j] - b.e[i][j];
  return r;
}

template <class Real>
PLAQ_HD Matrix3<Real> dagger(const Matrix3<Real>& a) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) r.e[i][j] = conj(a.e[j][i]);
  return r;
}

// Re tr(a b^dagger)
template <class Real>
PLAQ_HD Real real_trace_times_dagger(const Matrix3<Real>& a, const Matrix3<Real>& b) {
  Real sum = Real(0);
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) sum = fma(a.e[i][j].im, b.e[i][j].im, fma(a.e[i][j].re, b.e[i][j].re, sum));
  return sum;
}

template <class Real>
PLAQ_HD Complex<Real> trace(const Matrix3<Real>& a) {
  return a.e[0][0] + a.e[1][1] + a.e[2][2];
}

template <class Real>
PLAQ_HD Complex<Real> determinant(const Matrix3<Real>& a) {
  auto minor2 = [&](int j, int k) { return a.e[1][j] * a.e[2][k] - a.e[1][k] * a.e[2][j]; };
  return fma(a.e[0][2], minor2(0, 1), fma(a.e[0][1], minor2(2, 0), a.e[0][0] * minor2(1, 2)));
}

// Site by site, `yes` where the mask says so.
template <class Mask, class Real>
PLAQ_HD Matrix3<Real> select(Mask mask, const Matrix3<Real>& yes, const Matrix3<Real>& no) {
  Matrix3<Real> m;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      m.e[i][j] = {select(mask, yes.e[i][j].re, no.e[i][j].re), select(mask, yes.e[i][j].im, no.e[i][j].im)};
  return m;
}

// Third row = conj(row 0 x row 1): Clark et al. 2010, appendix A.1.
template <class Real>
PLAQ_HD void complete_third_row(Matrix3<Real>& u) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    u.e[2][i] = conj(fma(u.e[0][j], u.e[1][k], -(u.e[0][k] * u.e[1][j])));
  }
}

}  // namespace plaq

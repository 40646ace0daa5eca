// The Lie algebra of SU(3): traceless antihermitian matrices X as eight reals, and antihermitian matrices
// with their trace.
#pragma once

#include "core/algebra/su3.hpp"
#include "core/field/site_array.hpp"

namespace plaq {

// X_00 = i d[0], X_11 = i d[1], X_22 = -i (d[0] + d[1]); X_01, X_02, X_12 = o[0], o[1], o[2].
template <class Real>
struct Su3Algebra {
  Real d[2];
  Complex<Real> o[3];
};

// (M - M^dagger)/2 without its trace.
template <class Real>
PLAQ_HD Su3Algebra<Real> traceless_antihermitian(const Matrix3<Real>& m) {
  const Real half = Real(0.5), third = Real(1) / Real(3);
  const Real mean = third * (m.e[0][0].im + m.e[1][1].im + m.e[2][2].im);
  auto upper = [&](int i, int j) {
    return Complex<Real>{half * (m.e[i][j].re - m.e[j][i].re), half * (m.e[i][j].im + m.e[j][i].im)};
  };
  return {{m.e[0][0].im - mean, m.e[1][1].im - mean}, {upper(0, 1), upper(0, 2), upper(1, 2)}};
}

template <class Real>
PLAQ_HD Su3Algebra<Real> scale(const Real& s, const Su3Algebra<Real>& x) {
  return {{s * x.d[0], s * x.d[1]}, {scale(s, x.o[0]), scale(s, x.o[1]), scale(s, x.o[2])}};
}

// y + s x
template <class Real>
PLAQ_HD Su3Algebra<Real> fma(const Real& s, const Su3Algebra<Real>& x, const Su3Algebra<Real>& y) {
  return {{fma(s, x.d[0], y.d[0]), fma(s, x.d[1], y.d[1])},
          {fma(s, x.o[0], y.o[0]), fma(s, x.o[1], y.o[1]), fma(s, x.o[2], y.o[2])}};
}

// -tr(X Y), the scalar product
template <class Real>
PLAQ_HD Real scalar_product(const Su3Algebra<Real>& x, const Su3Algebra<Real>& y) {
  Real upper = Real(0);
#pragma unroll
  for (int k = 0; k < 3; ++k) upper = fma(x.o[k].im, y.o[k].im, fma(x.o[k].re, y.o[k].re, upper));
  const Real last = (x.d[0] + x.d[1]) * (y.d[0] + y.d[1]);
  return fma(Real(2), upper, fma(x.d[1], y.d[1], fma(x.d[0], y.d[0], last)));
}

// X Y - Y X
template <class Real>
PLAQ_HD Su3Algebra<Real> commutator(const Su3Algebra<Real>& x, const Su3Algebra<Real>& y) {
  const Real x2 = -(x.d[0] + x.d[1]), y2 = -(y.d[0] + y.d[1]);
  // Im(Y_ij X_ij^*): its double is what rows i and j of the product add to the diagonal.
  auto turn = [&](int k) { return fnma(y.o[k].re, x.o[k].im, y.o[k].im * x.o[k].re); };
  auto diagonal = [&](int k, const Real& dx, const Real& dy) {
    return fma_i(dx, y.o[k], fma_i(-dy, x.o[k], {Real(0), Real(0)}));
  };
  const Real t01 = turn(0), t02 = turn(1), t12 = turn(2);
  Su3Algebra<Real> z;
  z.d[0] = Real(2) * (t01 + t02);
  z.d[1] = Real(2) * (t12 - t01);
  z.o[0] = conj_fma(x.o[2], y.o[1], conj_fma(y.o[2], -x.o[1], diagonal(0, x.d[0] - x.d[1], y.d[0] - y.d[1])));
  z.o[1] = fma(x.o[0], y.o[2], fma(-y.o[0], x.o[2], diagonal(1, x.d[0] - x2, y.d[0] - y2)));
  z.o[2] = conj_fma(y.o[0], x.o[1], conj_fma(x.o[0], -y.o[1], diagonal(2, x.d[1] - x2, y.d[1] - y2)));
  return z;
}

// Antihermitian 3x3 matrices with trace: i d on the diagonal, o[0], o[1], o[2] in rows and columns 01,
// 02, 12.
template <class Real>
struct Antihermitian {
  Real d[3];
  Complex<Real> o[3];
};

template <class Real>
PLAQ_HD Matrix3<Real> to_matrix(const Antihermitian<Real>& a) {
  Matrix3<Real> m;
  for (int i = 0; i < 3; ++i) m.e[i][i] = {Real(0), a.d[i]};
  auto pair = [&](int i, int j, const Complex<Real>& z) {
    m.e[i][j] = z;
    m.e[j][i] = {-z.re, z.im};
  };
  pair(0, 1, a.o[0]);
  pair(0, 2, a.o[1]);
  pair(1, 2, a.o[2]);
  return m;
}
template <class Real>
PLAQ_HD Antihermitian<Real> antihermitian(const Su3Algebra<Real>& x) {
  return {{x.d[0], x.d[1], -(x.d[0] + x.d[1])}, {x.o[0], x.o[1], x.o[2]}};
}
template <class Real>
PLAQ_HD Matrix3<Real> to_matrix(const Su3Algebra<Real>& x) {
  return to_matrix(antihermitian(x));
}

// A m
template <class Real>
PLAQ_HD Matrix3<Real> operator*(const Antihermitian<Real>& a, const Matrix3<Real>& m) {
  Matrix3<Real> r;
#pragma unroll
  for (int j = 0; j < 3; ++j) {
    r.e[0][j] = fma_i(a.d[0], m.e[0][j], fma(a.o[1], m.e[2][j], a.o[0] * m.e[1][j]));
    r.e[1][j] = fma_i(a.d[1], m.e[1][j], fma(a.o[2], m.e[2][j], conj_times(-a.o[0], m.e[0][j])));
    r.e[2][j] = fma_i(a.d[2], m.e[2][j], conj_fma(-a.o[2], m.e[1][j], conj_times(-a.o[1], m.e[0][j])));
  }
  return r;
}
// m A
template <class Real>
PLAQ_HD Matrix3<Real> operator*(const Matrix3<Real>& m, const Antihermitian<Real>& a) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    r.e[i][0] = fma_i(a.d[0], m.e[i][0], conj_fma(-a.o[1], m.e[i][2], conj_times(-a.o[0], m.e[i][1])));
    r.e[i][1] = fma_i(a.d[1], m.e[i][1], conj_fma(-a.o[2], m.e[i][2], m.e[i][0] * a.o[0]));
    r.e[i][2] = fma_i(a.d[2], m.e[i][2], fma(m.e[i][1], a.o[2], m.e[i][0] * a.o[1]));
  }
  return r;
}

// A field of elements of the Lie algebra: 4 x 1 complex numbers a link, the diagonal first, subfields mu.
template <class Target, class T>
class AlgebraView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 8>;

  AlgebraView() = default;
  explicit AlgebraView(Array array) : array_(array) {}

  template <class Index>
  PLAQ_HD Su3Algebra<Real> load(int mu, int parity, const Index& index) const {
    Real r[8];
    array_.load(2 * mu + parity, index, r);
    return unpacked(r);
  }
  // Not through the device's read-only path: kernels store what they have read.
  template <class Site>
  PLAQ_HD Su3Algebra<Real> load_mutable(int mu, int parity, const Site& site) const {
    Real r[8];
    array_.load_mutable(2 * mu + parity, site, r);
    return unpacked(r);
  }
  template <class Site>
  PLAQ_HD void store(int mu, int parity, const Site& site, const Su3Algebra<Real>& x) const {
    const Real r[8] = {x.d[0], x.d[1], x.o[0].re, x.o[0].im, x.o[1].re, x.o[1].im, x.o[2].re, x.o[2].im};
    array_.store(2 * mu + parity, site, r);
  }

 private:
  static PLAQ_HD Su3Algebra<Real> unpacked(const Real (&r)[8]) {
    return {{r[0], r[1]}, {{r[2], r[3]}, {r[4], r[5]}, {r[6], r[7]}}};
  }
  Array array_;
};

}  // namespace plaq

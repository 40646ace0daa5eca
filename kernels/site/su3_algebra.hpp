// The Lie algebra of SU(3): traceless antihermitian matrices X as eight reals.
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

// A field of them: 4 x 1 complex numbers a site, the diagonal in the first one, subfields mu.
template <class Target, class T>
class AlgebraView {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Array = SiteArray<Target, T, 8>;

  AlgebraView() = default;
  explicit AlgebraView(Array array) : array_(array) {}

  // Not through the device's read-only path: kernels store what they have read.
  template <class Site>
  PLAQ_HD Su3Algebra<Real> load_mutable(int mu, int parity, const Site& site) const {
    Real r[8];
    array_.load_mutable(2 * mu + parity, site, r);
    return {{r[0], r[1]}, {{r[2], r[3]}, {r[4], r[5]}, {r[6], r[7]}}};
  }
  template <class Site>
  PLAQ_HD void store(int mu, int parity, const Site& site, const Su3Algebra<Real>& x) const {
    const Real r[8] = {x.d[0], x.d[1], x.o[0].re, x.o[0].im, x.o[1].re, x.o[1].im, x.o[2].re, x.o[2].im};
    array_.store(2 * mu + parity, site, r);
  }

 private:
  Array array_;
};

}  // namespace plaq

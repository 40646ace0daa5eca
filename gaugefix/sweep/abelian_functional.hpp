// Maximally Abelian gauge of SU(3) at one site: the part of sum |(U^g)_ii|^2 (Schroeck, Vogt 2013, eq. (11))
// that depends on g(x),
//   f = sum_i g_i T_i g_i^dagger,  g_i the rows of g,  T_i = sum over the eight v of v_i v_i^dagger,
// v_i being column i of v = U_mu(x) g(x+mu)^dagger or U_mu(x-mu)^dagger g(x-mu)^dagger, since (g v)_ii = g_i
// v_i.
//
// In rows i, j, with W = g v:
//   C = sum (W_ii^* W_ji - W_ij^* W_jj) = g_j (T_i - T_j) g_i^dagger
//   D = (1/2) sum (|W_ii|^2 + |W_jj|^2 - |W_ij|^2 - |W_ji|^2)
//     = (1/2) [g_i (T_i - T_j) g_i^dagger - g_j (T_i - T_j) g_j^dagger]
// and f(h g) = const + D n0 + E n1 + F n2 with E = -Im C, F = Re C and, of h = (h0, h1, h2, 0),
// n = (h0^2 - h1^2 - h2^2, 2 h0 h1, 2 h0 h2).
#pragma once

#include "gaugefix/sweep/annealing.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "kernels/site/lane_wise.hpp"
#include "kernels/site/su2_subgroup.hpp"

namespace plaq {

// A 3x3 matrix with T^dagger = T.
template <class Real>
struct Hermitian3 {
  Real d[3];
  Complex<Real> o[3];  // 01, 02, 12
};

template <class Real>
class AbelianFunctional {
 public:
  static constexpr const char* name = "abelian";

  PLAQ_HD AbelianFunctional() {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        t_[i].d[k] = Real(0);
        t_[i].o[k] = {Real(0), Real(0)};
      }
  }
  // The terms summed up in another precision.
  template <class Other>
  PLAQ_HD explicit AbelianFunctional(const AbelianFunctional<Other>& summed) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        t_[i].d[k] = detail::converted<Real>(summed.t_[i].d[k]);
        t_[i].o[k] = converted<Real>(summed.t_[i].o[k]);
      }
  }

  // One of the eight v.
  PLAQ_HD void add(const Matrix3<Real>& v) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
#pragma unroll
      for (int a = 0; a < 3; ++a)
        t_[i].d[a] = fma(v.e[a][i].im, v.e[a][i].im, fma(v.e[a][i].re, v.e[a][i].re, t_[i].d[a]));
      t_[i].o[0] = conj_fma(v.e[1][i], v.e[0][i], t_[i].o[0]);
      t_[i].o[1] = conj_fma(v.e[2][i], v.e[0][i], t_[i].o[1]);
      t_[i].o[2] = conj_fma(v.e[2][i], v.e[1][i], t_[i].o[2]);
    }
  }
  PLAQ_HD void begin(const Matrix3<Real>&) {}

  // D, E, F.
  template <int Subgroup>
  PLAQ_HD void field(const Matrix3<Real>& g, Real (&n)[3]) const {
    constexpr int i = subgroup_row(Subgroup, 0), j = subgroup_row(Subgroup, 1);
    Complex<Real> ti[3], tj[3];  // (T_i - T_j) g^dagger of the two rows
    difference_times(t_[i], t_[j], g.e[i], ti);
    difference_times(t_[i], t_[j], g.e[j], tj);
    const auto row = [&](const Complex<Real>(&a)[3], const Complex<Real>(&x)[3]) {
      return fma(a[2], x[2], fma(a[1], x[1], a[0] * x[0]));
    };
    const Complex<Real> c = row(g.e[j], ti);
    n[0] = Real(0.5f) * (row(g.e[i], ti).re - row(g.e[j], tj).re);
    n[1] = -c.im;
    n[2] = c.re;
  }

  // The h = (h0, h1, h2, 0) for which f(h g) is largest: proportional to (D + R, E, F), R = |(D, E, F)|.
  template <int Subgroup>
  PLAQ_HD Quaternion<Real> optimum(const Matrix3<Real>& g) const {
    Real n[3];
    field<Subgroup>(g, n);
    n[1] = n[1] + Real(1e-18f);  // some direction where there is none
    const Real across = fma(n[2], n[2], n[1] * n[1]), length = sqrt(fma(n[0], n[0], across));
    // D + R without cancellation.
    const Real first = select(at_most(n[0], Real(0)), across / (length - n[0]), length + n[0]);
    const Real inverse = Real(1) / sqrt(fma(first, first, across));
    return {{first * inverse, n[1] * inverse, n[2] * inverse, Real(0)}};
  }
  // Numbers that f depends on: D, E, F; and an h with probability ~ exp(weight f(h g)).
  template <int Subgroup>
  PLAQ_HD void seen(const Matrix3<Real>& g, Real (&f)[4]) const {
    Real n[3];
    field<Subgroup>(g, n);
#pragma unroll
    for (int k = 0; k < 3; ++k) f[k] = n[k];
    f[3] = Real(0);
  }
  template <class T>
  static PLAQ_HD Quaternion<T> draw(const T (&f)[4], T weight, const RandomStream& stream) {
    return draw_direction(f, weight, stream);
  }
  template <int Subgroup>
  PLAQ_HD void apply(const Quaternion<Real>& h, Matrix3<Real>& g) {
    multiply_left<Subgroup>(h, g);
  }

  // sum_i |(U^g)_ii|^2, in which each link counts for both of its ends.
  PLAQ_HD Real value(const Matrix3<Real>& g) const {
    Real sum = Real(0);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      Complex<Real> t[3];
      times(t_[i], g.e[i], t);
#pragma unroll
      for (int a = 0; a < 3; ++a) sum = fma(g.e[i][a].re, t[a].re, fma(-g.e[i][a].im, t[a].im, sum));
    }
    return sum;
  }
  // sum_{i<j} |C_ij|^2: 0 exactly where f is stationary, and the same for all of U(1)^2.
  PLAQ_HD Real violation(const Matrix3<Real>& g) const { return part<0>(g) + part<1>(g) + part<2>(g); }

 private:
  template <class Other>
  friend class AbelianFunctional;

  // T x^dagger, x a row.
  static PLAQ_HD void times(const Hermitian3<Real>& t, const Complex<Real> (&x)[3], Complex<Real> (&y)[3]) {
    y[0] = fma(t.o[1], conj(x[2]), fma(t.o[0], conj(x[1]), scale(t.d[0], conj(x[0]))));
    y[1] = fma(t.o[2], conj(x[2]), conj_fma(t.o[0], conj(x[0]), scale(t.d[1], conj(x[1]))));
    y[2] = conj_fma(t.o[2], conj(x[1]), conj_fma(t.o[1], conj(x[0]), scale(t.d[2], conj(x[2]))));
  }
  static PLAQ_HD void difference_times(const Hermitian3<Real>& a, const Hermitian3<Real>& b,
                                       const Complex<Real> (&x)[3], Complex<Real> (&y)[3]) {
    Hermitian3<Real> t;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      t.d[k] = a.d[k] - b.d[k];
      t.o[k] = a.o[k] - b.o[k];
    }
    times(t, x, y);
  }
  template <int Subgroup>
  PLAQ_HD Real part(const Matrix3<Real>& g) const {
    Real n[3];
    field<Subgroup>(g, n);
    return fma(n[2], n[2], n[1] * n[1]);
  }

  Hermitian3<Real> t_[3];
};

}  // namespace plaq

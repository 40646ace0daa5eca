// One term of a baryon's two-point function at one site, for both machines, before the sum over space
// (kernels/quark/baryon_terms.hpp has the formula):
//   X = sum over c, c' of L [ w1 tr(M) Q3^cc' + w2 Q3^cc' M ] R,
//   M = eps_abc eps_a'b'c' Gbar (Q2^bb')^T G^T Q1^aa',
// a 4x4 matrix of the spins of sink and source. G, Gbar and L have one entry in a row (GammaMatrix), R is
// diagonal. A pair (c, c') keeps M and X in registers and reads the propagators component by component, since
// all 432 reals of a site would not fit.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// The matrices and weights of a term: row r of a matrix has its entry in column r ^ flip.
struct BaryonSpins {
  int diquark_sink_flip, diquark_source_flip, left_flip;
  Complex<double> diquark_sink[4];        // of row s of G^T
  Complex<double> diquark_source[4];      // of row i of Gbar
  Complex<double> left[4], right[4];      // of the rows of L, and the diagonal of R
  double separate_weight, joined_weight;  // w1, w2
};

// Propagators: subfield = 3 * spin + color of the source. Runs over sites. Density subfields: 0, 1: the
// traces tr[P X] with P = (1 + gamma_t)/2 and (1 - gamma_t)/2; where `with_matrix` also 2 + 4 i + j: X_ij.
// X is added to the density, or replaces it if `overwrite`.
template <class TargetT>
struct BaryonDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SpinorView<TargetT, double> first, second, third;  // Q1, Q2, Q3
  SiteArray<TargetT, double, 2> density;
  BaryonSpins spins;
  bool with_matrix, overwrite;

  PLAQ_HD void operator()(const Site& site, int) const {
    Complex<Real> x[4][4];
    clear(x);
#pragma unroll 1
    for (int pair = 0; pair < 9; ++pair) {
      const int c = pair / 3, c_source = pair % 3;
      Complex<Real> m[4][4];
      diquark(site, c, c_source, m);
      const auto separate = scale(Real(spins.separate_weight), m[0][0] + m[1][1] + m[2][2] + m[3][3]);
#pragma unroll
      for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int j = 0; j < 4; ++j) m[k][j] = scale(Real(spins.joined_weight), m[k][j]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          const auto q = quark(third, site, i ^ spins.left_flip, c, k, c_source);
          x[i][k] = fma(separate, q, x[i][k]);
#pragma unroll
          for (int j = 0; j < 4; ++j) x[i][j] = fma(q, m[k][j], x[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) x[i][j] = constant(spins.left[i]) * x[i][j] * constant(spins.right[j]);
    const auto one = x[0][0] + x[1][1] + (x[2][2] + x[3][3]);
    const auto time = x[2][0] + x[3][1] + (x[0][2] + x[1][3]);  // tr[gamma_t X]
    const Real half(0.5);
    add(0, site, scale(half, one + time));
    add(1, site, scale(half, one - time));
    if (!with_matrix) return;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) add(2 + 4 * i + j, site, x[i][j]);
  }

 private:
  // Spins and colors of sink and source.
  static PLAQ_HD Complex<Real> quark(const SpinorView<TargetT, double>& s, const Site& site, int spin,
                                     int color, int source_spin, int source_color) {
    return s.component(3 * source_spin + source_color, site, 3 * spin + color);
  }
  static PLAQ_HD Complex<Real> constant(const Complex<double>& z) { return {Real(z.re), Real(z.im)}; }
  static PLAQ_HD void clear(Complex<Real> (&m)[4][4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) m[i][j] = {Real(0.0), Real(0.0)};
  }

  PLAQ_HD void diquark(const Site& site, int c, int c_source, Complex<Real> (&m)[4][4]) const {
    clear(m);
#pragma unroll 1
    for (int order = 0; order < 16; ++order) {
      // Both orders of the other two colors, at the sink and at the source; then the sink spin of Q2.
      const int o = order / 8, o_source = order / 4 % 2, s = order % 4;
      const int a = (c + 1 + o) % 3, b = (c + 2 - o) % 3;
      const int a_source = (c_source + 1 + o_source) % 3, b_source = (c_source + 2 - o_source) % 3;
      const double sign = (o + o_source) % 2 == 0 ? 1.0 : -1.0;
      const Complex<Real> entry =
          constant({sign * spins.diquark_sink[s].re, sign * spins.diquark_sink[s].im});
      Complex<Real> q1[4];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        q1[j] = entry * quark(first, site, s ^ spins.diquark_sink_flip, a, j, a_source);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const auto q2 = quark(second, site, s, b, i ^ spins.diquark_source_flip, b_source);
#pragma unroll
        for (int j = 0; j < 4; ++j) m[i][j] = fma(q2, q1[j], m[i][j]);
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) m[i][j] = constant(spins.diquark_source[i]) * m[i][j];
  }

  PLAQ_HD void add(int subfield, const Site& site, Complex<Real> value) const {
    if (!overwrite) {
      Real before[2];
      density.load_mutable(subfield, site, before);
      value = value + Complex<Real>{before[0], before[1]};
    }
    const Real out[2] = {value.re, value.im};
    density.store(subfield, site, out);
  }
};

}  // namespace plaq

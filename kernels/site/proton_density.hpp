// The proton's two-point function at one site, for both machines, before the sum over space
// (kernels/quark/baryons.hpp has the formula):
//   sum over c, c' of tr[M] tr[P U^cc'] + tr[P U^cc' M],  M = eps_abc eps_a'b'c' (D~^bb')^T U^aa',
//   D~ = (C gamma5) D (C gamma5)^T,  C gamma5 = gamma_t gamma_y gamma5: rows k, columns k ^ 1, signs + - + -.
// A pair (c, c') keeps M, 16 complex numbers, in registers and reads the propagators component by component:
// all 288 reals of a site would not fit.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// Propagators: subfield = 3 * spin + color of the source. Runs over sites; density subfield 0:
// P = (1 + gamma_t)/2, subfield 1: P = (1 - gamma_t)/2.
template <class TargetT>
struct ProtonDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SpinorView<TargetT, double> up, down;  // U, D
  SiteArray<TargetT, double, 2> density;

  PLAQ_HD void operator()(const Site& site, int) const {
    Complex<Real> one{Real(0.0), Real(0.0)}, time = one;  // with P = 1 and with P = gamma_t
#pragma unroll 1
    for (int pair = 0; pair < 9; ++pair) {
      const int c = pair / 3, c_source = pair % 3;
      Complex<Real> m[4][4];
      diquark(site, c, c_source, m);
      const auto diquark_trace = m[0][0] + m[1][1] + m[2][2] + m[3][3];
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        // Column s of M with the rows of U that P = 1 and P = gamma_t bring to row s.
        one = fma(diquark_trace, quark(up, site, s, c, s, c_source), one);
        time = fma(diquark_trace, quark(up, site, s ^ 2, c, s, c_source), time);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          one = fma(quark(up, site, s, c, j, c_source), m[j][s], one);
          time = fma(quark(up, site, s ^ 2, c, j, c_source), m[j][s], time);
        }
      }
    }
    const Real half(0.5);
    const auto plus = scale(half, one + time), minus = scale(half, one - time);
    const Real out_plus[2] = {plus.re, plus.im}, out_minus[2] = {minus.re, minus.im};
    density.store(0, site, out_plus);
    density.store(1, site, out_minus);
  }

 private:
  // Spins and colors of sink and source.
  static PLAQ_HD Complex<Real> quark(const SpinorView<TargetT, double>& s, const Site& site, int spin,
                                     int color, int source_spin, int source_color) {
    return s.component(3 * source_spin + source_color, site, 3 * spin + color);
  }

  PLAQ_HD void diquark(const Site& site, int c, int c_source, Complex<Real> (&m)[4][4]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) m[i][j] = {Real(0.0), Real(0.0)};
#pragma unroll 1
    for (int order = 0; order < 16; ++order) {
      // Both orders of the other two colors, at the sink and at the source; then the spin of the sum.
      const int o = order / 8, o_source = order / 4 % 2, k = order % 4;
      const int a = (c + 1 + o) % 3, b = (c + 2 - o) % 3;
      const int a_source = (c_source + 1 + o_source) % 3, b_source = (c_source + 2 - o_source) % 3;
      const Real sign((o + o_source + k) % 2 == 0 ? 1.0 : -1.0);
      Complex<Real> u[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) u[j] = scale(sign, quark(up, site, k, a, j, a_source));
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const auto d = quark(down, site, k ^ 1, b, i ^ 1, b_source);
        const auto signed_d = i % 2 == 0 ? d : -d;
#pragma unroll
        for (int j = 0; j < 4; ++j) m[i][j] = fma(signed_d, u[j], m[i][j]);
      }
    }
  }
};

}  // namespace plaq

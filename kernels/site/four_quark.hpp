// Products of two quark bilinears at one site with open spins, for both machines. A bilinear is the matrix
// V_ij = s_i sum_ac conj(eta_i,a^c) (G phi_j)_a^c of two propagators, i and j = 3 * spin + color of their
// sources, density 12 * i + j.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// V. Row a of G = gamma5 Gamma is i^phase[a] in column a ^ flip; s_i is the sign of gamma5 for spin i / 3.
// Inner index: j.
template <class TargetT>
struct OpenBilinear {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SpinorView<TargetT, double> eta, phi;
  SiteArray<TargetT, double, 2> density;
  int flip;
  double re[4], im[4];  // i^phase[a]

  PLAQ_HD void operator()(const Site& site, int j) const {
    auto turned = phi.template load<Spinor<Real>>(j, site);  // G phi_j
    if ((flip & 1) != 0) {
      exchange(turned.s[0], turned.s[1]);
      exchange(turned.s[2], turned.s[3]);
    }
    if ((flip & 2) != 0) {
      exchange(turned.s[0], turned.s[2]);
      exchange(turned.s[1], turned.s[3]);
    }
#pragma unroll
    for (int a = 0; a < 4; ++a) {
      const Complex<Real> factor{Real(re[a]), Real(im[a])};
#pragma unroll
      for (int c = 0; c < 3; ++c) turned.s[a].c[c] = factor * turned.s[a].c[c];
    }
#pragma unroll 1
    for (int i = 0; i < 12; ++i) {
      const auto e = eta.template load<Spinor<Real>>(i, site);
      Complex<Real> sum{Real(0.0), Real(0.0)};
#pragma unroll
      for (int a = 0; a < 4; ++a)
#pragma unroll
        for (int c = 0; c < 3; ++c) sum = conj_fma(e.s[a].c[c], turned.s[a].c[c], sum);
      const Real sign(i < 6 ? 1.0 : -1.0);
      const Real out[2] = {sign * sum.re, sign * sum.im};
      density.store(12 * i + j, site, out);
    }
  }

 private:
  static PLAQ_HD void exchange(ColorVector<Real>& one, ColorVector<Real>& other) {
    const ColorVector<Real> kept = one;
    one = other;
    other = kept;
  }
};

// Adds products of V with itself to density 16 * k + l, k = 4 * a + b and l = 4 * c + d the spins of both:
//   sum_ij V_ai,bi V_cj,dj, colors of each bilinear joined, or sum_ij V_ai,bj V_cj,di, crossed.
// Inner index: k.
template <class TargetT>
struct AddFourQuark {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SiteArray<TargetT, double, 2> bilinear, density;
  bool crossed;
  bool overwrite;  // begins with 0 in place of what is there

  PLAQ_HD void operator()(const Site& site, int k) const {
    Complex<Real> first[3][3], trace{Real(0.0), Real(0.0)};
    load(k, site, first);
#pragma unroll
    for (int i = 0; i < 3; ++i) trace = trace + first[i][i];
#pragma unroll 1
    for (int l = 0; l < 16; ++l) {
      Complex<Real> second[3][3], sum{Real(0.0), Real(0.0)};
      load(l, site, second);
      if (!overwrite) {
        Real value[2];
        density.load_mutable(16 * k + l, site, value);
        sum = {value[0], value[1]};
      }
      if (crossed) {
#pragma unroll
        for (int i = 0; i < 3; ++i)
#pragma unroll
          for (int j = 0; j < 3; ++j) sum = fma(first[i][j], second[j][i], sum);
      } else {
        sum = fma(trace, second[0][0] + second[1][1] + second[2][2], sum);
      }
      const Real out[2] = {sum.re, sum.im};
      density.store(16 * k + l, site, out);
    }
  }

 private:
  // Colors of V for spins k.
  PLAQ_HD void load(int k, const Site& site, Complex<Real> (&colors)[3][3]) const {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        Real value[2];
        bilinear.load_mutable(12 * (3 * (k / 4) + i) + 3 * (k % 4) + j, site, value);
        colors[i][j] = {value[0], value[1]};
      }
  }
};

}  // namespace plaq

// Meson correlators at one site, for both machines, before the sum over space:
//   tr[ G S1 G' gamma5 S2^dagger gamma5 ]
//     = sum over sink spins a, source spins c of (gamma5 G)_ab (G' gamma5)_cd sum_ij S1_bc^ij conj(S2_ad^ij)
// with b = a ^ flip of G and d = c ^ flip of G'. All color sums that share a source spin pair (c, d) are made
// at once, 16 complex numbers in registers, whatever the number of channels.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// One pair of gamma matrices, as the kernel wants it.
struct MesonTerm {
  Complex<double> sink[4];    // of row a of gamma5 G
  Complex<double> source[4];  // of row c of G' gamma5, times the weight
  int sink_flip;
  int channel;
};

// Propagators: subfield = 3 * spin + color of the source. Runs over sites; density subfield = channel.
template <class TargetT>
struct MesonDensity {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SpinorView<TargetT, double> first, second;  // S1, S2
  SiteArray<TargetT, double, 2> density;
  const MesonTerm* terms;  // sorted by the flip of the source's matrix,
  int begin[5];            // those with flip f are begin[f] .. begin[f + 1] - 1
  int channels;

  PLAQ_HD void operator()(const Site& site, int) const {
    const Real zero[2] = {Real(0.0), Real(0.0)};
    for (int channel = 0; channel < channels; ++channel) density.store(channel, site, zero);
#pragma unroll 1
    for (int pair = 0; pair < 16; ++pair) {
      const int flip = pair / 4, c = pair % 4;
      if (begin[flip] == begin[flip + 1]) continue;
      Complex<Real> overlap[4][4];  // [a][b]
      sum_colors(site, c, c ^ flip, overlap);
#pragma unroll 1
      for (int k = begin[flip]; k < begin[flip + 1]; ++k) add(site, terms[k], c, overlap);
    }
  }

 private:
  PLAQ_HD void sum_colors(const Site& site, int c, int d, Complex<Real> (&overlap)[4][4]) const {
#pragma unroll
    for (int a = 0; a < 4; ++a)
#pragma unroll
      for (int b = 0; b < 4; ++b) overlap[a][b] = {Real(0.0), Real(0.0)};
#pragma unroll 1
    for (int j = 0; j < 3; ++j) {
      const auto s1 = first.template load<Spinor<Real>>(3 * c + j, site);
      const auto s2 = second.template load<Spinor<Real>>(3 * d + j, site);
#pragma unroll
      for (int a = 0; a < 4; ++a)
#pragma unroll
        for (int b = 0; b < 4; ++b)
#pragma unroll
          for (int i = 0; i < 3; ++i) overlap[a][b] = conj_fma(s2.s[a].c[i], s1.s[b].c[i], overlap[a][b]);
    }
  }

  PLAQ_HD void add(const Site& site, const MesonTerm& term, int c,
                   const Complex<Real> (&overlap)[4][4]) const {
    Complex<Real> trace;
    switch (term.sink_flip) {
      case 0:
        trace = sum_spins<0>(term, overlap);
        break;
      case 1:
        trace = sum_spins<1>(term, overlap);
        break;
      case 2:
        trace = sum_spins<2>(term, overlap);
        break;
      default:
        trace = sum_spins<3>(term, overlap);
    }
    Real value[2];
    density.load_mutable(term.channel, site, value);
    const auto sum = fma(constant(term.source[c]), trace, Complex<Real>{value[0], value[1]});
    const Real out[2] = {sum.re, sum.im};
    density.store(term.channel, site, out);
  }

  template <int Flip>
  static PLAQ_HD Complex<Real> sum_spins(const MesonTerm& term, const Complex<Real> (&overlap)[4][4]) {
    Complex<Real> sum{Real(0.0), Real(0.0)};
#pragma unroll
    for (int a = 0; a < 4; ++a) sum = fma(constant(term.sink[a]), overlap[a][a ^ Flip], sum);
    return sum;
  }
  static PLAQ_HD Complex<Real> constant(const Complex<double>& z) { return {Real(z.re), Real(z.im)}; }
};

}  // namespace plaq

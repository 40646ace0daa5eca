// Sources of sequential propagators through the sink, for both machines (kernels/quark/sequential.hpp has the
// formulas): gamma5 Sigma(x)^dagger on one time slice, 0 on others. Sigma(x)_ij is the derivative of a
// two-point function's density at x by the propagator's component ji: i,
// j = 3 * spin + color of source and sink.
#pragma once

#include "core/field/views.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

// 1 on the sites of a time slice of the whole lattice, 0 elsewhere.
struct SliceMask {
  LatticeShape shape;
  int parity;
  int t;

  // False where no site is on the slice.
  template <class Site, class Real>
  PLAQ_HD bool of(const Site& site, Real& mask) const {
    bool any = false;
    mask = Real(0.0);
    for_each_lane(site, [&](int lane, int index) {
      if (shape.global_coordinate(shape.coordinates(parity, index), 3) != t) return;
      set_lane(mask, lane, 1.0);
      any = true;
    });
    return any;
  }
};

// gamma5 times `value`, where the mask is 1; inner index: column.
template <class View, class Site, class Real>
PLAQ_HD void store_sequential(const View& out, const Site& site, int column, const Real& mask,
                              Spinor<Real> value) {
#pragma unroll
  for (int s = 0; s < 4; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c) value.s[s].c[c] = scale(s < 2 ? mask : -mask, value.s[s].c[c]);
  out.store(column, site, value);
}

// Pion, sum |S|^2 of S and S^*: Sigma = S^dagger.
template <class TargetT>
struct PionSequentialSource {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  SpinorView<TargetT, double> quark, out;
  SliceMask slice;

  PLAQ_HD void operator()(const Site& site, int column) const {
    Real mask;
    const bool any = slice.of(site, mask);
    store_sequential(out, site, column, mask,
                     any ? quark.template load<Spinor<Real>>(column, site) : zero_spinor<Real>());
  }
};

// Nucleon (proton_density.hpp), tr[P U] tr(M) + tr[P U M] with M = Gbar D^T G^T U, summed over colors (a a'),
// (b b'), (c c') of eps_abc eps_a'b'c'. A thread makes one column, row i = (source spin, color) of Sigma:
//   of u, from M's U:  [tr(P U^cc') + P U^cc'] Gbar D^T G^T        in colors a', a
//         and U^cc':   tr(M) P + M P                               in colors c', c
//   of d:              the transposed of G^T U^aa' [tr(P U^cc') + P U^cc'] Gbar   in colors b', b
// P: any matrix of spin.
template <class TargetT>
struct NucleonSequentialSource {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  SpinorView<TargetT, double> up, down, out;
  SliceMask slice;
  Complex<double> projector[4][4];
  int sink_flip, source_flip;  // of G^T and Gbar, as in BaryonSpins
  Complex<double> sink[4], source[4];
  bool of_down;

  PLAQ_HD void operator()(const Site& site, int column) const {
    Real mask;
    Spinor<Real> row = zero_spinor<Real>();  // Sigma_ij^*, j the component of the spinor
    if (slice.of(site, mask)) {
#pragma unroll 1
      for (int color = 0; color < 3; ++color) {
        Complex<Real> sigma[4];
        clear(sigma);
#pragma unroll 1
        for (int order = 0; order < 4; ++order) {
          const int o = order / 2, o_source = order % 2, from = column % 3;
          const Real sign((o + o_source) % 2 == 0 ? 1.0 : -1.0);
          // The other two colors of sink and source.
          const int e = (color + 1 + o) % 3, f = (color + 2 - o) % 3;
          const int e_source = (from + 1 + o_source) % 3, f_source = (from + 2 - o_source) % 3;
          Complex<Real> part[4];
          clear(part);
          if (of_down)
            add_down(site, column / 3, e, e_source, f, f_source, part);
          else
            add_up(site, column / 3, e, e_source, f, f_source, part);
#pragma unroll
          for (int j = 0; j < 4; ++j) sigma[j] = fma(sign, part[j], sigma[j]);
        }
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
          for (int c = 0; c < 3; ++c)
            if (c == color) row.s[j].c[c] = conj(sigma[j]);
      }
    }
    store_sequential(out, site, column, mask, row);
  }

 private:
  static PLAQ_HD Complex<Real> constant(const Complex<double>& z) { return {Real(z.re), Real(z.im)}; }
  static PLAQ_HD void clear(Complex<Real> (&v)[4]) {
#pragma unroll
    for (int j = 0; j < 4; ++j) v[j] = {Real(0.0), Real(0.0)};
  }
  static PLAQ_HD Complex<Real> quark(const SpinorView<TargetT, double>& s, const Site& site, int spin,
                                     int color, int source_spin, int source_color) {
    return s.component(3 * source_spin + source_color, site, 3 * spin + color);
  }

  // tr(P U^cc')
  PLAQ_HD Complex<Real> projected_trace(const Site& site, int c, int c_source) const {
    Complex<Real> trace{Real(0.0), Real(0.0)};
#pragma unroll 1
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int k = 0; k < 4; ++k)
        trace = fma(constant(projector[i][k]), quark(up, site, k, c, i, c_source), trace);
    return trace;
  }
  // (P U^cc')_ij
  PLAQ_HD Complex<Real> projected(const Site& site, int i, int c, int j, int c_source) const {
    Complex<Real> sum{Real(0.0), Real(0.0)};
#pragma unroll
    for (int k = 0; k < 4; ++k) sum = fma(constant(projector[i][k]), quark(up, site, k, c, j, c_source), sum);
    return sum;
  }
  // (Gbar D^T G^T)_kj
  PLAQ_HD Complex<Real> diquark_down(const Site& site, int k, int b, int j, int b_source) const {
    const int s = j ^ sink_flip;  // the row of G^T whose entry is in column j
    return constant(source[k]) * constant(sink[s]) * quark(down, site, s, b, k ^ source_flip, b_source);
  }

  // U with the colors of M's U open, (b b') = e, (c c') = f; then with those of the free U open, (a a') = e,
  // (b b') = f. Cyclic orders both: eps has one sign.
  PLAQ_HD void add_up(const Site& site, int i, int e, int e_source, int f, int f_source,
                      Complex<Real> (&part)[4]) const {
    const auto trace = projected_trace(site, f, f_source);
#pragma unroll 1
    for (int k = 0; k < 4; ++k) {
      auto left = projected(site, i, f, k, f_source);
      if (k == i) left = left + trace;
#pragma unroll
      for (int j = 0; j < 4; ++j) part[j] = fma(left, diquark_down(site, k, e, j, e_source), part[j]);
    }
    Complex<Real> diquark_trace{Real(0.0), Real(0.0)};
#pragma unroll 1
    for (int l = 0; l < 4; ++l) {
      // Row i of M, and tr(M).
      Complex<Real> m{Real(0.0), Real(0.0)};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const auto u = quark(up, site, k, e, l, e_source);
        m = fma(diquark_down(site, i, f, k, f_source), u, m);
        diquark_trace = fma(diquark_down(site, l, f, k, f_source), u, diquark_trace);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) part[j] = fma(m, constant(projector[l][j]), part[j]);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) part[j] = fma(diquark_trace, constant(projector[i][j]), part[j]);
  }

  // (c c') = e, (a a') = f: element ji of G^T U [tr(P U) + P U] Gbar, i of the source.
  PLAQ_HD void add_down(const Site& site, int i, int e, int e_source, int f, int f_source,
                        Complex<Real> (&part)[4]) const {
    const auto trace = projected_trace(site, e, e_source);
    const int l = i ^ source_flip;  // Gbar's column i has its entry in row l
#pragma unroll 1
    for (int k = 0; k < 4; ++k) {
      auto right = projected(site, k, e, l, e_source);
      if (k == l) right = right + trace;
      right = constant(source[l]) * right;
#pragma unroll
      for (int j = 0; j < 4; ++j)
        part[j] = fma(constant(sink[j]) * quark(up, site, j ^ sink_flip, f, k, f_source), right, part[j]);
    }
  }
};

}  // namespace plaq

// Matrices of spins with colors summed over, at one site, for both machines: density 4 * a + b of spinors,
// one density of color vectors.
#pragma once

#include "core/field/views.hpp"

namespace plaq {

// Adds sum_k sum_i phi_k,a^i conj(eta_k,b^i) of the subfields k = begin .. end - 1, one after the other: the
// same bits for all of them at once and for one at a time. Runs over sites.
template <class TargetT>
struct AddSpinMatrix {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SpinorView<TargetT, double> phi, eta;
  SiteArray<TargetT, double, 2> density;
  int begin, end;
  bool overwrite;  // begins with 0 in place of what is there

  PLAQ_HD void operator()(const Site& site, int) const {
    Complex<Real> matrix[4][4];
#pragma unroll
    for (int a = 0; a < 4; ++a)
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        Real value[2] = {Real(0.0), Real(0.0)};
        if (!overwrite) density.load_mutable(4 * a + b, site, value);
        matrix[a][b] = {value[0], value[1]};
      }
#pragma unroll 1
    for (int k = begin; k < end; ++k) {
      const auto p = phi.template load<Spinor<Real>>(k, site);
      const auto e = eta.template load<Spinor<Real>>(k, site);
#pragma unroll
      for (int a = 0; a < 4; ++a)
#pragma unroll
        for (int b = 0; b < 4; ++b)
#pragma unroll
          for (int i = 0; i < 3; ++i) matrix[a][b] = conj_fma(e.s[b].c[i], p.s[a].c[i], matrix[a][b]);
    }
#pragma unroll
    for (int a = 0; a < 4; ++a)
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        const Real out[2] = {matrix[a][b].re, matrix[a][b].im};
        density.store(4 * a + b, site, out);
      }
  }
};

// Density of color vectors: sum_k sum_i phi_k^i conj(eta_k^i).
template <class TargetT>
struct AddColorProduct {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  StaggeredView<TargetT, double> phi, eta;
  SiteArray<TargetT, double, 2> density;
  int begin, end;
  bool overwrite;

  PLAQ_HD void operator()(const Site& site, int) const {
    Real value[2] = {Real(0.0), Real(0.0)};
    if (!overwrite) density.load_mutable(0, site, value);
    Complex<Real> sum{value[0], value[1]};
#pragma unroll 1
    for (int k = begin; k < end; ++k) {
      const auto p = phi.template load<StaggeredVector<Real>>(k, site);
      const auto e = eta.template load<StaggeredVector<Real>>(k, site);
#pragma unroll
      for (int i = 0; i < 3; ++i) sum = conj_fma(e.s[0].c[i], p.s[0].c[i], sum);
    }
    const Real out[2] = {sum.re, sum.im};
    density.store(0, site, out);
  }
};

// sum_i S_ab^ii of a propagator: subfield = 3 * spin + color of the source.
// Inner index: spin b of the source.
template <class TargetT>
struct ColorTrace {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  SpinorView<TargetT, double> propagator;
  SiteArray<TargetT, double, 2> density;

  PLAQ_HD void operator()(const Site& site, int b) const {
    Complex<Real> trace[4];
#pragma unroll
    for (int a = 0; a < 4; ++a) trace[a] = {Real(0.0), Real(0.0)};
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const auto s = propagator.template load<Spinor<Real>>(3 * b + i, site);
#pragma unroll
      for (int a = 0; a < 4; ++a) trace[a] = trace[a] + s.s[a].c[i];
    }
#pragma unroll
    for (int a = 0; a < 4; ++a) {
      const Real out[2] = {trace[a].re, trace[a].im};
      density.store(4 * a + b, site, out);
    }
  }
};

// Products of two propagators with open spins, of one column of eta and each column j of phi:
// density 16 * j + 4 * a + b is sum_i conj(eta_a^i) phi_j,b^i. Inner index: j.
template <class TargetT>
struct OpenSpinProduct {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  static constexpr int block_size = 128;

  SpinorView<TargetT, double> eta, phi;
  SiteArray<TargetT, double, 2> density;
  int column;  // subfield of eta

  PLAQ_HD void operator()(const Site& site, int j) const {
    const auto e = eta.template load<Spinor<Real>>(column, site);
    const auto p = phi.template load<Spinor<Real>>(j, site);
#pragma unroll
    for (int a = 0; a < 4; ++a)
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        Complex<Real> sum{Real(0.0), Real(0.0)};
#pragma unroll
        for (int i = 0; i < 3; ++i) sum = conj_fma(e.s[a].c[i], p.s[b].c[i], sum);
        const Real out[2] = {sum.re, sum.im};
        density.store(16 * j + 4 * a + b, site, out);
      }
  }
};

}  // namespace plaq

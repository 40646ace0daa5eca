// Densities times exp(-i p (x - x_source)), site by site, for a sum over a time slice, and fields times such
// phases.
#pragma once

#include "core/field/site_array.hpp"
#include "core/field/views.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

// exp(-i 2 pi n r / L) for each momentum, direction in space and distance r = 0 .. L - 1, made on the host:
// [(3 * momentum + direction) * stride + r].
struct PhaseTable {
  const Complex<double>* phase;
  int stride;
};

// The phases of a table at the lanes of a site.
struct SitePhases {
  LatticeShape shape;
  PhaseTable table;
  int source[3];
  int parity;

  template <class Real, class Site>
  PLAQ_HD Complex<Real> of(const Site& site, int momentum) const {
    Complex<Real> phase{Real(0.0), Real(0.0)};
    const Complex<double>* of_momentum = table.phase + momentum * 3 * table.stride;
    for_each_lane(site, [&](int lane, int index) {
      const Coordinates c = shape.coordinates(parity, index);
      Complex<double> z = of_momentum[distance(c, 0)];
#pragma unroll
      for (int mu = 1; mu < 3; ++mu) z = z * of_momentum[mu * table.stride + distance(c, mu)];
      set_lane(phase.re, lane, z.re);
      set_lane(phase.im, lane, z.im);
    });
    return phase;
  }

 private:
  PLAQ_HD int distance(const Coordinates& c, int mu) const {
    const int r = shape.global_coordinate(c, mu) - source[mu];
    return r < 0 ? r + shape.global_extent[mu] : r;
  }
};

// The sums of N channels share a phase. Inner index of the launch: group of channels + groups * momentum.
// Sums: real and imaginary part of each channel.
template <class TargetT, int N>
struct MomentumSum {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  static constexpr int sums = 2 * N;
  static constexpr bool sums_in_threads = true;
  static constexpr int min_blocks = 2;

  SiteArray<TargetT, double, 2> density;  // subfield = channel
  SitePhases phases;
  int groups;

  PLAQ_HD void operator()(const typename Arch::Site& site, int inner, Real (&sum)[sums]) const {
    const int group = inner % groups;
    const auto phase = phases.template of<Real>(site, inner / groups);
#pragma unroll
    for (int n = 0; n < N; ++n) {
      Real value[2];
      density.load(N * group + n, site, value);
      const auto term = phase * Complex<Real>{value[0], value[1]};
      sum[2 * n] = term.re;
      sum[2 * n + 1] = term.im;
    }
  }
};

// Spinors times the phases of the first momentum of a table; inner index: subfield.
template <class TargetT>
struct TimesPhases {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;

  SpinorView<TargetT, double> field;
  SitePhases phases;

  PLAQ_HD void operator()(const typename Arch::Site& site, int subfield) const {
    const auto phase = phases.template of<Real>(site, 0);
    auto psi = field.template load<Spinor<Real>>(subfield, site);
#pragma unroll
    for (int s = 0; s < 4; ++s)
#pragma unroll
      for (int c = 0; c < 3; ++c) psi.s[s].c[c] = phase * psi.s[s].c[c];
    field.store(subfield, site, psi);
  }
};

}  // namespace plaq

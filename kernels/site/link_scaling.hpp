// Links that are not unitary, as 16-bit numbers want them: within [-1, 1].
#pragma once

#include "core/field/fixed16.hpp"
#include "core/field/views.hpp"

namespace plaq {

// The largest component of a link; a link times a number. Inner index: direction.
template <class TargetT>
struct LinkScaling {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using RealDouble = Real;
  static constexpr int maxima = 1;

  GaugeView<TargetT, double> links;
  double factor = 1;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, Real (&largest)[maxima]) const {
    const auto u = links.load(mu, parity, site);
    largest[0] = Real(0.0);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      largest[0] = larger_magnitude(u.e[k / 3][k % 3].re, largest[0]);
      largest[0] = larger_magnitude(u.e[k / 3][k % 3].im, largest[0]);
    }
  }
  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    auto u = links.load_mutable(mu, parity, site);
#pragma unroll
    for (int k = 0; k < 9; ++k) u.e[k / 3][k % 3] = scale(Real(factor), u.e[k / 3][k % 3]);
    links.store(mu, parity, site, u);
  }
};

}  // namespace plaq

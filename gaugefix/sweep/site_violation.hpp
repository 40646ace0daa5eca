// |g g^dagger - 1| at one site, of g as it is stored.
#pragma once

#include "gaugefix/sweep/su3_view.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {

// S: storage of g. For sums over sites and for the largest value.
template <class TargetT, class S>
struct SiteViolation {
  using Arch = plaq::Arch<TargetT, double>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 1, maxima = 1;

  TransformationView<TargetT, double, double, S> g;  // subfield 2 copy + parity
  int parity = 0;

  PLAQ_HD void operator()(const typename Arch::Site& site, int copy, RealDouble (&value)[1]) const {
    const auto u = g.load(2 * copy + parity, site);
    auto deviation = times_dagger(u, u);
#pragma unroll
    for (int i = 0; i < 3; ++i) deviation.e[i][i].re = deviation.e[i][i].re - RealDouble(1.0);
    value[0] = sqrt(real_trace_times_dagger(deviation, deviation));
  }
};

}  // namespace plaq

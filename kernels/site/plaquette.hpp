// Sums over sites of traces of links: plaquettes, links themselves.
#pragma once

#include "kernels/site/staple.hpp"

namespace plaq {

// Sum 0: Re tr P_mu,nu(x) of the three planes in space, sum 1: of the three with time (mu < nu), where
//   P_mu,nu(x) = U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger.
// Inner index of the launch: 0 for the planes in space, 1 for those with time.
template <class TargetT, class T>
struct PlaquetteSum {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 2;
  static constexpr int block_size = sizeof(T) == 8 ? 384 : 768;

  GaugeLattice<TargetT, T> gauge;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int in_time,
                          RealDouble (&sum)[sums]) const {
    const auto x = gauge.lattice.point(parity, site);
    RealDouble planes = RealDouble(0.0);
#pragma unroll 1
    for (int k = 0; k < 3; ++k) {
      const int mu = in_time == 1 || k < 2 ? k : 0, nu = in_time == 1 ? 3 : k < 2 ? 2 : 1;
      const auto ahead = gauge.lattice.step(x, mu, true), above = gauge.lattice.step(x, nu, true);
      planes += to_double(real_trace_times_dagger(gauge.link(mu, x) * gauge.link(nu, ahead),
                                                  gauge.link(nu, x) * gauge.link(mu, above)));
    }
    sum[0] = in_time == 1 ? RealDouble(0.0) : planes;
    sum[1] = in_time == 1 ? planes : RealDouble(0.0);
  }
};

// Re tr U_mu(x), all four directions.
template <class TargetT, class T>
struct LinkTraceSum {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 1;

  GaugeView<TargetT, T> links;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int, RealDouble (&sum)[sums]) const {
    sum[0] = RealDouble(0.0);
#pragma unroll 1
    for (int mu = 0; mu < 4; ++mu) {
      const auto u = links.load(mu, parity, site);
      for (int i = 0; i < 3; ++i) sum[0] += to_double(u.e[i][i].re);
    }
  }
};

}  // namespace plaq

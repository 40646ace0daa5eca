// Sums over sites of traces of links: plaquettes, links themselves.
#pragma once

#include "kernels/site/staple.hpp"

namespace plaq {

// Sum 0: Re tr P_mu,nu(x) of the three planes in space, sum 1: of the three with time (mu < nu), where
//   P_mu,nu(x) = U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger.
template <class TargetT, class T>
struct PlaquetteSum {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 2;

  GaugeLattice<TargetT, T> gauge;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int, RealDouble (&sum)[sums]) const {
    const auto x = gauge.lattice.point(parity, site);
    sum[0] = sum[1] = RealDouble(0.0);
#pragma unroll 1
    for (int nu = 1; nu < 4; ++nu) {
      const auto above = gauge.lattice.step(x, nu, true);
      RealDouble planes = RealDouble(0.0);
#pragma unroll 1
      for (int mu = 0; mu < nu; ++mu) {
        const auto ahead = gauge.lattice.step(x, mu, true);
        planes += to_double(real_trace_times_dagger(gauge.link(mu, x) * gauge.link(nu, ahead),
                                                    gauge.link(nu, x) * gauge.link(mu, above)));
      }
      if (nu < 3) {
        sum[0] += planes;
      } else {
        sum[1] = planes;
      }
    }
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

// One link of a quenched update: pseudo-heatbath of Cabibbo and Marinari, Phys. Lett. 119B (1982) 387.
#pragma once

#include "kernels/site/lane_wise.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su2_heatbath.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// Draws links U_mu with probability exp(weight Re tr(U V)), V their staples, subgroup by subgroup. The draws
// in SU(2) are in double, the rest in T.
template <class TargetT, class T>
struct HeatbathHits {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;

  double weight;
  std::uint64_t seed;
  std::uint32_t sweep;
  int mu;

  PLAQ_HD void update(Matrix3<Real>& u, const Matrix3<Real>& staples, const LatticeShape& shape, int parity,
                      const Site& site) const {
    std::uint64_t number[Arch::width];
    for_each_lane(site, [&](int lane, int index) { number[lane] = global_site(shape, parity, index); });
    auto w = u * staples;
    hit<0>(site, number, u, w);
    hit<1>(site, number, u, w);
    hit<2>(site, number, u, w);
    project_to_su3(u);  // costs little here and keeps rounding from piling up over sweeps
  }

 private:
  template <int Subgroup>
  PLAQ_HD void hit(const Site& site, const std::uint64_t (&number)[Arch::width], Matrix3<Real>& u,
                   Matrix3<Real>& w) const {
    const auto q = su2_part<Subgroup>(w);
    Quaternion<Real> g{{Real(1), Real(0), Real(0), Real(0)}};
    for_each_lane(site, [&](int lane, int) {
      const RandomStream stream{
          seed, number[lane], sweep, Purpose::heatbath, static_cast<std::uint32_t>(mu), Subgroup};
      Quaternion<double> one;
      for (int i = 0; i < 4; ++i) one.a[i] = get_lane(q.a[i], lane);
      const auto drawn = draw_su2(one, weight, stream);
      for (int i = 0; i < 4; ++i) set_lane(g.a[i], lane, drawn.a[i]);
    });
    multiply_left<Subgroup>(g, u);
    if (Subgroup < subgroups - 1) multiply_left<Subgroup>(g, w);
  }
};

// Links U_mu of one parity, which do not see each other, with the Wilson gauge action: weight = beta / 3.
template <class TargetT, class T>
struct Heatbath {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, T> gauge;
  HeatbathHits<TargetT, T> hits;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    const int mu = hits.mu;
    const auto staples = staple_sum(gauge, gauge.lattice.point(parity, site), mu);
    auto u = gauge.links.load_mutable(mu, parity, site);
    hits.update(u, staples, gauge.lattice.shape(), parity, site);
    gauge.links.store(mu, parity, site, u);
  }
};

}  // namespace plaq

// One link of a quenched update with any action of loops (kernels/site/loop_staple.hpp): heatbath and
// overrelaxation as with the Wilson action. The links of a launch are in none of each other's staples.
#pragma once

#include "kernels/site/heatbath.hpp"
#include "kernels/site/loop_staple.hpp"
#include "kernels/site/overrelaxation.hpp"

namespace plaq {

// hits.weight = 1/3: the weights of the loops are in the staples.
template <class TargetT, class T>
struct LoopHeatbath {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, T> gauge;
  LoopWeights weights;
  HeatbathHits<TargetT, T> hits;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    const int mu = hits.mu;
    const LoopStaple<TargetT, T> staple(gauge, weights);
    const auto staples = staple(gauge.lattice.point(parity, site), mu);
    auto u = gauge.links.load_mutable(mu, parity, site);
    hits.update(u, staples, gauge.lattice.shape(), parity, site);
    gauge.links.store(mu, parity, site, u);
  }
};

template <class TargetT, class T>
struct LoopOverrelaxation {
  using Arch = plaq::Arch<TargetT, T>;
  static constexpr int block_size = 128;

  GaugeLattice<TargetT, T> gauge;
  LoopWeights weights;
  int mu;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    const LoopStaple<TargetT, T> staple(gauge, weights);
    const auto staples = staple(gauge.lattice.point(parity, site), mu);
    auto u = gauge.links.load_mutable(mu, parity, site);
    overrelax(u, staples);
    gauge.links.store(mu, parity, site, u);
  }
};

}  // namespace plaq

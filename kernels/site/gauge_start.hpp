// Gauge fields to start from. They run over all stored sites, so that a halo needs no exchange.
#pragma once

#include "core/algebra/random.hpp"
#include "core/lattice/lattice_view.hpp"
#include "kernels/site/lane_wise.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// Unit links. Inner index of the launch: direction.
template <class TargetT, class T>
struct ColdStart {
  using Arch = plaq::Arch<TargetT, T>;

  GaugeView<TargetT, T> links;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    links.store(mu, parity, site, unit_matrix<typename Arch::Real>());
  }
};

// Haar-distributed links: two Gaussian rows made orthonormal. Inner index of the launch: direction.
template <class TargetT, class T>
struct HotStart {
  using Arch = plaq::Arch<TargetT, T>;

  LatticeShape shape;
  GaugeView<TargetT, T> links;
  std::uint64_t seed;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    auto u = unit_matrix<typename Arch::Real>();
    for_each_lane(site, [&](int lane, int index) {
      const RandomStream stream{seed, global_site(shape, parity, index), 0, Purpose::hot_start,
                                static_cast<std::uint32_t>(mu)};
      Matrix3<double> random;
#pragma unroll
      for (int row = 0; row < 2; ++row)
#pragma unroll
        for (int c = 0; c < 3; ++c) {
          const auto pair = stream.draw(static_cast<std::uint32_t>(3 * row + c)).gaussian();
          random.e[row][c] = {pair.first, pair.second};
        }
      project_to_su3(random);
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j) {
          set_lane(u.e[i][j].re, lane, random.e[i][j].re);
          set_lane(u.e[i][j].im, lane, random.e[i][j].im);
        }
    });
    links.store(mu, parity, site, u);
  }
};

}  // namespace plaq

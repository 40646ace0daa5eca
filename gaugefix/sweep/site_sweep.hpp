// Kernels of gauge fixing at a site other than updates (gaugefix/sweep/gauge_hop.hpp):
// sums, starts, projections, copies.
#pragma once

#include "core/algebra/random.hpp"
#include "gaugefix/sweep/gauge_hop.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// Sums over sites: of the functional's local value, and of the violation of the gauge condition; those of a
// copy at 2 slices copy and behind.
// Kernel: a HopKernel of a GaugeHop.
template <class Kernel>
struct SiteQuality {
  using Arch = typename Kernel::Arch;
  using RealDouble = typename Arch::RealDouble;
  using Site = typename Kernel::Site;
  static constexpr int sums = 2;
  static constexpr int block_size = 128;

  Kernel kernel;
  int slices = 1;

  PLAQ_HD int place(int copy) const { return copy * slices; }
  PLAQ_HD void operator()(const Site& site, int copy, RealDouble (&value)[sums]) const {
    auto functional = kernel.sum_at(site, copy);
    const auto g = kernel.hop.g.load(2 * copy + kernel.parity, site);
    functional.begin(g);
    value[0] = to_double(functional.value(g));
    value[1] = to_double(functional.violation(g));
  }
};

// g becomes the nearest matrix of SU(3).
template <class TargetT, class T>
struct SiteProjection {
  using Arch = plaq::Arch<TargetT, T>;

  TransformationView<TargetT, T> g;
  int parity = 0;

  PLAQ_HD void operator()(const typename Arch::Site& site, int copy) const {
    auto u = g.load_mutable(2 * copy + parity, site);
    project_to_su3(u);
    g.store(2 * copy + parity, site, u);
  }
};

// A random element of SU(3) at each site: a point on the gauge orbit that belongs to seed and copy.
template <class TargetT, class T>
struct SiteRandomStart {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  LatticeShape shape;
  TransformationView<TargetT, T> g;
  std::uint64_t seed = 0;  // of copy 0, one more for each further one
  int parity = 0;

  PLAQ_HD void operator()(const typename Arch::Site& site, int copy) const {
    Matrix3<Real> u = unit_matrix<Real>();
    for_each_lane(site, [&](int lane, int index) {
      const RandomStream stream{seed + static_cast<std::uint64_t>(copy), global_site(shape, parity, index), 0,
                                Purpose::gauge_copy};
      for (int k = 0; k < 6; ++k) {
        const auto normal = stream.draw(static_cast<std::uint32_t>(k)).gaussian();
        set_lane(u.e[k / 3][k % 3].re, lane, normal.first);
        set_lane(u.e[k / 3][k % 3].im, lane, normal.second);
      }
    });
    project_to_su3(u);
    g.store(2 * copy + parity, site, u);
  }
};

// g of one copy, stored as S, as matrices of SU(3) in double.
template <class TargetT, class S>
struct SiteExpansion {
  using Arch = plaq::Arch<TargetT, double>;

  TransformationView<TargetT, double, double, S> g;
  Su3View<TargetT, double, double, 18, double> full;  // subfield parity
  int copy = 0, parity = 0;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    auto u = g.load(2 * copy + parity, site);
    project_to_su3(u);
    full.store(parity, site, u);
  }
};

// The way back.
template <class TargetT, class S>
struct SiteContraction {
  using Arch = plaq::Arch<TargetT, double>;

  TransformationView<TargetT, double, double, S> g;
  Su3View<TargetT, double, double, 18, double> full;  // subfield parity
  int copy = 0, parity = 0;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    g.store(2 * copy + parity, site, full.load(parity, site));
  }
};

}  // namespace plaq

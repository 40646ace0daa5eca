// Gauge fixing at the sites of one parity, on which it changes g, not the links: what neighbours give
// (gaugefix/site_gather.hpp) is summed up, and g follows as the update says (Schroeck, Vogt 2013, algorithm
// 1).
#pragma once

#include "gaugefix/matrix_view.hpp"
#include "gaugefix/update_site.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// Update: a class as RelaxationStep and HeatbathStep are.
template <class Gather, template <class> class Functional, class Update>
struct SiteUpdate {
  using Arch = typename Gather::Arch;
  using T = typename Arch::Scalar;
  using Real = typename Arch::Real;
  using Site = typename Gather::Site;
  // 512 threads a multiprocessor where sums are of 4 bytes, in double 384.
  static constexpr int block_size = sizeof(T) == 4 ? 256 : 128;
  static constexpr int min_blocks = sizeof(T) == 4 ? 2 : sizeof(typename Gather::Draw) == 4 ? 4 : 3;

  Gather gather;
  TransformationView<typename Arch::Target, T> g;
  Update update;

  // On a device: whether the site has a neighbour on another rank, in whatever direction.
  PLAQ_HD bool has_ghosts(const Site& site) const {
    return gather.lattice.shape().at_split_edge(
        gather.lattice.shape().coordinates(gather.parity, site.index));
  }

  PLAQ_HD void operator()(const Site& site, int copy) const {
    Functional<Real> functional(gather(site, copy));
    const UpdateSite<Site, typename Gather::Draw> where{gather.lattice.shape(), site, gather.parity, copy};
    const int slot = 2 * copy + gather.parity;
    auto mine = g.load_mutable(slot, site);
    functional.begin(mine);
    update.change(functional, mine, where);
    g.store(slot, site, mine);
  }
};

// Sums over sites: of the functional's local value, and of the violation of the gauge condition; those of a
// copy at 2 slices copy and behind.
template <class Gather>
struct SiteQuality {
  using Arch = typename Gather::Arch;
  using RealDouble = typename Arch::RealDouble;
  using Site = typename Gather::Site;
  static constexpr int sums = 2;
  static constexpr int block_size = 128;

  Gather gather;
  int slices = 1;

  PLAQ_HD int place(int copy) const { return copy * slices; }
  PLAQ_HD void operator()(const Site& site, int copy, RealDouble (&value)[sums]) const {
    auto functional = gather(site, copy);
    const auto g = gather.g.load(2 * copy + gather.parity, site);
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
  MatrixView<TargetT, double, double, 18, double> full;  // slot parity
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
  MatrixView<TargetT, double, double, 18, double> full;  // slot parity
  int copy = 0, parity = 0;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    g.store(2 * copy + parity, site, full.load(parity, site));
  }
};

}  // namespace plaq

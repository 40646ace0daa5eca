// Gauge fixing at the sites of one parity, on which it changes g, not the links: what neighbours give
// (gaugefix/site_gather.hpp) is summed up, and g follows in the three subgroups of SU(2) (Schroeck, Vogt
// 2013, algorithm 1), as the update says.
#pragma once

#include "gaugefix/matrix_view.hpp"
#include "gaugefix/update_site.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// Back to SU(3) from near it: to second order in what is missing.
template <class Real>
PLAQ_HD void restore_rows(Matrix3<Real>& u) {
  const auto restore = [&](int row) {
    Real norm = Real(0);
#pragma unroll
    for (int c = 0; c < 3; ++c)
      norm = fma(u.e[row][c].im, u.e[row][c].im, fma(u.e[row][c].re, u.e[row][c].re, norm));
    const Real factor = fma(Real(-0.5f), norm, Real(1.5f));
#pragma unroll
    for (int c = 0; c < 3; ++c) u.e[row][c] = scale(factor, u.e[row][c]);
  };
  restore(0);
  const auto overlap =
      -conj_fma(u.e[0][2], u.e[1][2], conj_fma(u.e[0][1], u.e[1][1], conj_times(u.e[0][0], u.e[1][0])));
#pragma unroll
  for (int c = 0; c < 3; ++c) u.e[1][c] = fma(overlap, u.e[0][c], u.e[1][c]);
  restore(1);
  complete_third_row(u);
}

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

  PLAQ_HD void operator()(const Site& site, int copy) const {
    Functional<Real> functional(gather(site, copy));
    const UpdateSite<Site, typename Gather::Draw> where{gather.lattice.shape(), site, gather.parity, copy};
    const int slot = 2 * copy + gather.parity;
    auto mine = g.load_mutable(slot, site);
    functional.begin(mine);
    change<0>(where, functional, mine);
    change<1>(where, functional, mine);
    change<2>(where, functional, mine);
    restore_rows(mine);
    g.store(slot, site, mine);
  }

 private:
  template <int Subgroup, class Where>
  PLAQ_HD void change(const Where& where, Functional<Real>& functional, Matrix3<Real>& mine) const {
    const Quaternion<Real> h = update.template change<Subgroup>(functional, mine, where);
    functional.template apply<Subgroup>(h, mine);
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

}  // namespace plaq

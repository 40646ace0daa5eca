// Gauge fixing at the sites of one parity, on which it changes g, not the links: what neighbours with links
// and their g give is summed up, and g follows in the three subgroups of SU(2) (Schroeck, Vogt 2013,
// algorithm 1). The links of U^g = g(x) U_mu(x) g(x+mu)^dagger are never stored: half the memory traffic, and
// what is lost to rounding is lost in g alone.
//
// Rounding: terms are added x forward, x backward, y forward ... A site at a rank's edge takes backward terms
// from other ranks as the product that they would be at home, rounded to T.
#pragma once

#include "core/lattice_view.hpp"
#include "core/views.hpp"
#include "gaugefix/annealing.hpp"
#include "gaugefix/matrix_view.hpp"
#include "gaugefix/relaxation.hpp"
#include "kernels/site/unitarity.hpp"

namespace plaq {

// L: storage of the links, of `Reals` reals each; T: of g and of all arithmetic. Functional: TraceFunctional
// or AbelianFunctional. Ghosts: whether sites may have neighbours on other ranks.
template <class TargetT, class L, class T, int Reals, template <class> class Functional, bool Ghosts>
struct SiteGather {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  using Mask = typename Arch::Mask;

  Lattice lattice;
  GaugeView<TargetT, L, Reals, T> links;
  MatrixView<TargetT, T> g;         // slot 2 copy + parity
  MatrixView<TargetT, T> ghost[8];  // by directed hop, slot copy; closed: no ghosts there
  int parity = 0;
  int directions = 4;  // 3: Coulomb

  PLAQ_HD Functional<Real> operator()(const Site& site, int copy) const {
    const Point point = lattice.point(parity, site);
    Functional<Real> sum;
    forward<0>(site, point, copy, sum);
    backward<0>(point, copy, sum);
    forward<1>(site, point, copy, sum);
    backward<1>(point, copy, sum);
    forward<2>(site, point, copy, sum);
    backward<2>(point, copy, sum);
    if (directions == 4) {
      forward<3>(site, point, copy, sum);
      backward<3>(point, copy, sum);
    }
    return sum;
  }

 private:
  template <int Mu>
  PLAQ_HD void forward(const Site& site, const Point& point, int copy, Functional<Real>& sum) const {
    const auto next = lattice.neighbor(point, Mu, true);
    const Matrix3<Real> u = links.load(Mu, parity, site);
    const auto local = [&] { return g.load(2 * copy + 1 - parity, next); };
    Matrix3<Real> theirs;
    if (Ghosts && ghost[2 * Mu] && any(next.edge)) {
      theirs = choose(next.edge, ghost[2 * Mu].load(copy, lattice.face_index(point, Mu)), local);
    } else {
      theirs = local();
    }
    sum.add(times_dagger(u, theirs));
  }
  template <int Mu>
  PLAQ_HD void backward(const Point& point, int copy, Functional<Real>& sum) const {
    const auto last = lattice.neighbor(point, Mu, false);
    const auto local = [&] { return g.load(2 * copy + 1 - parity, last) * links.load(Mu, 1 - parity, last); };
    Matrix3<Real> w;
    if (Ghosts && ghost[2 * Mu + 1] && any(last.edge)) {
      w = choose(last.edge, ghost[2 * Mu + 1].load(copy, lattice.face_index(point, Mu)), local);
    } else {
      w = local();
    }
    sum.add(dagger(w));
  }

  // On the device a site is either a ghost's neighbour or not; on the host a group may be mixed.
  template <class Local>
  static PLAQ_HD Matrix3<Real> choose(bool, const Matrix3<Real>& from_ghost, Local&&) {
    return from_ghost;
  }
#if !defined(__CUDACC__)
  template <class Local>
  static PLAQ_HD Matrix3<Real> choose(LaneMask edge, const Matrix3<Real>& from_ghost, Local&& local) {
    Matrix3<Real> m = local();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        m.e[i][j] = {select(edge, from_ghost.e[i][j].re, m.e[i][j].re),
                     select(edge, from_ghost.e[i][j].im, m.e[i][j].im)};
    return m;
  }
#endif
};

template <class Gather, template <class> class Functional>
struct SiteRelaxation {
  using Arch = typename Gather::Arch;
  using Real = typename Gather::Real;
  using Site = typename Gather::Site;
  // 512 threads a multiprocessor where the numbers are of 4 bytes, in double 384.
  static constexpr int block_size = sizeof(typename Arch::Scalar) == 4 ? 256 : 128;
  static constexpr int min_blocks = sizeof(typename Arch::Scalar) == 4 ? 2 : 3;

  Gather gather;
  RelaxationStep step;

  PLAQ_HD void operator()(const Site& site, int copy) const {
    auto functional = gather(site, copy);
    const int slot = 2 * copy + gather.parity;
    auto g = gather.g.load_mutable(slot, site);
    functional.begin(g);
    relax<0>(site, copy, functional, g);
    relax<1>(site, copy, functional, g);
    relax<2>(site, copy, functional, g);
    gather.g.store(slot, site, g);
  }

 private:
  template <int Subgroup>
  PLAQ_HD void relax(const Site& site, int copy, Functional<Real>& functional, Matrix3<Real>& g) const {
    const Quaternion<Real> best = functional.template optimum<Subgroup>(g);
    Quaternion<Real> h;
    if (step.reflect >= 1) {
      h = squared(best);
    } else {
      h = overrelaxed(best, Real(static_cast<typename Arch::Scalar>(step.omega)));
      if (step.reflect > 0) reflect_some<Subgroup>(site, copy, squared(best), h);
    }
    functional.template apply<Subgroup>(h, g);
  }
  template <int Subgroup>
  PLAQ_HD void reflect_some(const Site& site, int copy, const Quaternion<Real>& reflected,
                            Quaternion<Real>& h) const {
    for_each_lane(site, [&](int lane, int index) {
      const RandomStream stream{step.seed + static_cast<std::uint64_t>(copy),
                                global_site(gather.lattice.shape(), gather.parity, index),
                                step.sweep,
                                Purpose::gauge_update,
                                0,
                                Subgroup};
      if (stream.draw(0).uniform(0) >= step.reflect) return;
      for (int k = 0; k < 4; ++k) set_lane(h.a[k], lane, get_lane(reflected.a[k], lane));
    });
  }
};

template <class Gather, template <class> class Functional>
struct SiteHeatbath {
  using Arch = typename Gather::Arch;
  using Real = typename Gather::Real;
  using Site = typename Gather::Site;
  static constexpr int block_size = 128;

  Gather gather;
  HeatbathStep step;

  PLAQ_HD void operator()(const Site& site, int copy) const {
    auto functional = gather(site, copy);
    const int slot = 2 * copy + gather.parity;
    auto g = gather.g.load_mutable(slot, site);
    functional.begin(g);
    hit<0>(site, copy, functional, g);
    hit<1>(site, copy, functional, g);
    hit<2>(site, copy, functional, g);
    gather.g.store(slot, site, g);
  }

 private:
  template <int Subgroup>
  PLAQ_HD void hit(const Site& site, int copy, Functional<Real>& functional, Matrix3<Real>& g) const {
    Real seen[4];
    functional.template seen<Subgroup>(g, seen);
    Quaternion<Real> h{{Real(1), Real(0), Real(0), Real(0)}};
    for_each_lane(site, [&](int lane, int index) {
      const RandomStream stream{step.seed + static_cast<std::uint64_t>(copy),
                                global_site(gather.lattice.shape(), gather.parity, index),
                                step.sweep,
                                Purpose::gauge_update,
                                1,
                                Subgroup};
      double one[4];
      for (int k = 0; k < 4; ++k) one[k] = get_lane(seen[k], lane);
      const Quaternion<double> drawn = Functional<Real>::draw(one, 1 / step.temperature, stream);
      for (int k = 0; k < 4; ++k) set_lane(h.a[k], lane, drawn.a[k]);
    });
    functional.template apply<Subgroup>(h, g);
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

  MatrixView<TargetT, T> g;
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
  MatrixView<TargetT, T> g;
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

}  // namespace plaq

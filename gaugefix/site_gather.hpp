// What the neighbours of a site give a gauge functional: their g with the links between. The links of U^g =
// g(x) U_mu(x) g(x+mu)^dagger are never stored: half the memory traffic of sweeps over links, and what is
// lost to rounding is lost in g alone.
//
// Rounding: terms are added x forward, x backward, y forward ... A site at a rank's edge takes backward terms
// from other ranks as the product that they would be at home.
#pragma once

#include "core/lattice_view.hpp"
#include "gaugefix/matrix_view.hpp"

namespace plaq {

// L: storage of the links, of `Reals` reals each; T: of g; A: arithmetic, and ghosts. Functional:
// TraceFunctional or AbelianFunctional. Ghosts: whether sites may have neighbours on other ranks.
template <class TargetT, class L, class T, class A, int Reals, template <class> class Functional, bool Ghosts>
struct SiteGather {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = Number<TargetT, T, A>;
  using Draw = A;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  static constexpr bool ghosts = Ghosts;
  using Links = MatrixView<TargetT, T, A, Reals, L>;
  using Faces = MatrixView<TargetT, T, A, Reals, A>;

  Lattice lattice;
  Links links;                             // slot 2 mu + parity
  TransformationView<TargetT, T, A, T> g;  // slot 2 copy + parity
  Faces ghost[8];                          // by directed hop, slot copy; closed: no ghosts there
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
    const Matrix3<Real> u = links.load(2 * Mu + parity, site);
    const auto local = [&] { return g.load(2 * copy + 1 - parity, next); };
    Matrix3<Real> theirs;
    if (Ghosts && ghost[2 * Mu] && any(next.edge)) {
      theirs = choose(next.edge, ghost[2 * Mu].load(copy, lattice.face_index(point, Mu)), local);
    } else {
      theirs = local();
    }
    sum.add(product_with_dagger<Reals>(u, theirs));
  }
  template <int Mu>
  PLAQ_HD void backward(const Point& point, int copy, Functional<Real>& sum) const {
    const auto last = lattice.neighbor(point, Mu, false);
    const auto local = [&] {
      return product<Reals>(g.load(2 * copy + 1 - parity, last), links.load(2 * Mu + 1 - parity, last));
    };
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

}  // namespace plaq

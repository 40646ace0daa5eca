// The hopping terms of staggered fermions at one site, for both machines:
//   (D chi)(x) = sum_mu eta_mu(x) [ c U_mu(x) chi(x+mu) - c U_mu(x-mu)^dagger chi(x-mu)
//                                 + c' W_mu(x) chi(x+3mu) - c' W_mu(x-3mu)^dagger chi(x-3mu) ]
// with eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z) (coordinates of the whole
// lattice), and the boundary sign where a hop leaves the lattice. One-link: W = 0, U of SU(3), 570 flops a
// site. Improved (asqtad and the like): U are fat links, any 3x3 matrices, W of SU(3) the long links, which
// Naik's term has; 1146 flops. Written: out = a * x + b * D in, or D in alone.
//
// Rounding: link times vector is rounded, then added with one fma; first all hops of one step, x forward, x
// backward, y forward, ..., then those of three. A boundary site takes the vectors of other ranks from ghost
// faces (kernels/site/staggered_face_pack.hpp), for backward hops already multiplied by the sender's link,
// which rounds to the same bits. Half precision is multiplied as it is stored, in integers; the factors of
// link and vector go into the hop's weight.
#pragma once

#include "core/active_set.hpp"
#include "core/lattice_view.hpp"
#include "core/views.hpp"
#include "kernels/site/face_view.hpp"
#include "kernels/site/staggered_weights.hpp"

namespace plaq {

template <class Target, class S>
struct StaggeredGhosts {
  // By directed hop; closed: no ghosts there. Slot = right-hand side; layers as LatticeView::third_face_index
  // has them, behind those of one step where the hop is backward: ahead both are of the same first slice.
  FaceView<Target, S, 1> face[8];
  int stride[4] = {0, 0, 0, 0};  // sites from layer to layer, by direction
};

// S: storage of vectors and links. Reals: of U, or where the operator is improved of W, U then having 18.
// Ghosts: whether sites may have neighbours on other ranks. Width: right-hand sides that a link is multiplied
// with once it is in registers; the k-th call is for the active ones from k * Width on.
template <class TargetT, class S, int Reals, bool Improved, bool Ghosts, int Width = 1>
struct StaggeredHop {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Mask = typename Arch::Mask;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  using Neighbor = typename Arch::Neighbor;
  using Links = GaugeView<TargetT, S, Improved ? 18 : Reals>;
  using LongLinks = GaugeView<TargetT, S, Reals>;
  using Vectors = StaggeredView<TargetT, S>;
  using Vector = StaggeredVector<Real>;
  // 512 threads a multiprocessor where numbers are of 4 bytes and a thread has one right-hand side, else 384.
  static constexpr int block_size = sizeof(T) == 4 && Width == 1 ? 256 : 128;
  static constexpr int min_blocks = block_size == 256 ? 2 : 3;
  static constexpr int depth = Improved ? 3 : 1;

  Lattice lattice;
  Links links;
  LongLinks long_links;  // closed where the operator is not improved
  Vectors in;            // of the other parity
  Vectors out;           // of `parity`
  Vectors add;           // x; may be closed
  StaggeredGhosts<TargetT, S> ghosts;
  // Times the factors that raw links are to be multiplied with.
  StaggeredWeights<T> weights, long_weights;
  T a, b;
  int parity;
  ActiveSet active;

  // On a device: whether the site needs a face of another rank.
  PLAQ_HD bool has_ghosts(const Site& site) const {
    return lattice.shape().at_split_edge(lattice.shape().coordinates(parity, site.index), depth);
  }

  PLAQ_HD void operator()(const Site& site, int k) const {
    const Point point = lattice.point(parity, site);
    Batch batch;
    batch.count = Width == 1 ? 1 : active.count() - k * Width;
    if (batch.count > Width) batch.count = Width;
#pragma unroll
    for (int r = 0; r < Width; ++r) {
      batch.rhs[r] = active[k * Width + (batch.has(r) ? r : batch.count - 1)];
#pragma unroll
      for (int c = 0; c < 3; ++c) batch.sum[r].s[0].c[c] = {Real(0), Real(0)};
    }
    all_hops<false>(site, point, batch);
    if constexpr (Improved) all_hops<true>(site, point, batch);
#pragma unroll
    for (int r = 0; r < Width; ++r) {
      if (!batch.has(r)) break;
      Vector& sum = batch.sum[r];
      if (add) {
        const auto x = add.template load<Vector>(batch.rhs[r], site);
#pragma unroll
        for (int c = 0; c < 3; ++c) sum.s[0].c[c] = fma(Real(b), sum.s[0].c[c], scale(Real(a), x.s[0].c[c]));
      }
      out.store(batch.rhs[r], site, sum);
    }
  }

 private:
  // The right-hand sides of a call. Where there are fewer than Width the last one is computed again, so that
  // no load waits for a branch.
  struct Batch {
    Vector sum[Width];
    int rhs[Width];
    int count;
    PLAQ_HD bool has(int r) const { return Width == 1 || r < count; }
  };
  // What a hop adds, divided by `factor`.
  struct Hop {
    Vector vector;
    Real factor;
  };

  template <bool Long>
  PLAQ_HD void all_hops(const Site& site, const Point& point, Batch& batch) const {
    hop<0, Long>(site, point, batch);
    hop<1, Long>(site, point, batch);
    hop<2, Long>(site, point, batch);
    hop<3, Long>(site, point, batch);
    hop<4, Long>(site, point, batch);
    hop<5, Long>(site, point, batch);
    hop<6, Long>(site, point, batch);
    hop<7, Long>(site, point, batch);
  }

  // The directed hop D.
  template <int D, bool Long>
  PLAQ_HD void hop(const Site& site, const Point& point, Batch& batch) const {
    constexpr int mu = D / 2;
    constexpr bool ahead = D % 2 == 0;
    const Neighbor n = Long ? lattice.third_neighbor(point, mu, ahead) : lattice.neighbor(point, mu, ahead);
    const auto& w = Long ? long_weights : weights;
    Real weight = select(n.edge, Real(w.across[D]), Real(w.inside[D % 2]));
    if constexpr (mu > 0) weight = select(Mask(lattice.odd_before(point, mu)), -weight, weight);
    // On the device a site is either a ghost's neighbour or not; on the host a group may be mixed.
    const bool any_ghost = Ghosts && ghosts.face[D] && any(n.edge);
    const bool all_ghosts = any_ghost && Arch::width == 1;
    Matrix3<Real> u;
    if (ahead || !all_ghosts) u = link<D, Long>(site, n);
#pragma unroll
    for (int r = 0; r < Width; ++r) {
      const int rhs = batch.rhs[r];
      Hop h;
      if (all_ghosts) {
        h = ghost<D, Long>(rhs, point);
      } else {
        h.vector = in.template load_raw<Vector>(rhs, n, h.factor);
      }
      if constexpr (ahead) {
        if (any_ghost && !all_ghosts) replace(n.edge, ghost<D, Long>(rhs, point), h);
        h.vector.s[0] = LinksOf<Long>::times(u, h.vector.s[0]);
      } else {
        if (!all_ghosts) h.vector.s[0] = LinksOf<Long>::dagger_times(u, h.vector.s[0]);
        if (any_ghost && !all_ghosts) replace(n.edge, ghost<D, Long>(rhs, point), h);
      }
      Real scaled = weight;
      if constexpr (Vectors::scaled) scaled = weight * h.factor;
      auto& sum = batch.sum[r].s[0];
#pragma unroll
      for (int c = 0; c < 3; ++c) sum.c[c] = fma(scaled, h.vector.s[0].c[c], sum.c[c]);
    }
  }

  template <bool Long>
  using LinksOf = std::conditional_t<Long, LongLinks, Links>;
  template <int D, bool Long>
  PLAQ_HD Matrix3<Real> link(const Site& site, const Neighbor& n) const {
    const auto& from = links_of<Long>();
    if constexpr (D % 2 == 0) {
      return from.load_raw(D / 2, parity, site);
    } else {
      return from.load_raw(D / 2, 1 - parity, n);
    }
  }
  template <bool Long>
  PLAQ_HD const LinksOf<Long>& links_of() const {
    if constexpr (Long) {
      return long_links;
    } else {
      return links;
    }
  }
  template <int D, bool Long>
  PLAQ_HD Hop ghost(int rhs, const Point& point) const {
    Hop hop;
    const auto load = [&](const auto& index) {
      hop.vector = ghosts.face[D].template load_raw<Vector>(rhs, index, hop.factor);
    };
    if constexpr (Long) {
      load(lattice.third_face_index(point, D / 2, D % 2 == 0, ghosts.stride[D / 2], D % 2));
    } else {
      load(lattice.face_index(point, D / 2));
    }
    return hop;
  }
  template <class EdgeMask>
  static PLAQ_HD void replace(EdgeMask edge, const Hop& ghost, Hop& hop) {
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      const auto yes = ghost.vector.s[0].c[c];
      auto& z = hop.vector.s[0].c[c];
      z = {select(edge, yes.re, z.re), select(edge, yes.im, z.im)};
    }
    if constexpr (Vectors::scaled) hop.factor = select(edge, ghost.factor, hop.factor);
  }
};

}  // namespace plaq

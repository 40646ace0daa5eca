// The sum over the directed hops of a site, for any discretisation and both machines. A HopFormula says what
// one hop contributes; where its neighbour comes from is told here: this rank's memory, or for sites at its
// edge the ghost faces of another rank.
//
// Rounding: link times what is carried is rounded before it is added, in the order of the hops. For hops
// behind, the rank that owns the link multiplies, so that no links travel; at home
// the same product has the same bits.
#pragma once

#include "core/lattice/lattice_view.hpp"
#include "core/operator/active_set.hpp"
#include "kernels/dirac/hop/hop_faces.hpp"
#include "kernels/dirac/hop/hop_formula.hpp"
#include "kernels/dirac/hop/time_links.hpp"

namespace plaq {

// U_h P_h psi(x + h) of one hop, divided by `factor`.
template <class Carried, class Real>
struct HopContribution {
  Carried value;
  Real factor;
};

// Ghosts: whether sites may have neighbours on other ranks. Width: right-hand sides that a link is multiplied
// with once it is in registers; the k-th call is for the active ones from k * Width on.
// Time: whether links in t may be 1.
template <class HopT, bool Ghosts, int Width = 1, TimeLinks Time = TimeLinks::ordinary>
struct HopKernel {
  static_assert(HopFormula<HopT>);
  static_assert(Time == TimeLinks::ordinary || (HopT::weighted && !HopT::directions_alike));
  using Hop = HopT;
  using Arch = typename Hop::Arch;
  using Real = typename Hop::Real;
  using Site = typename Hop::Site;
  using Lattice = LatticeView<typename Arch::Target, typename Hop::T>;
  using Point = typename Lattice::Point;
  using Neighbor = typename Arch::Neighbor;
  using Sum = typename Hop::Sum;
  using Link = typename Hop::Link;
  using Face = typename Hop::Face;
  using Contribution = HopContribution<typename Hop::Carried, Real>;
  using Weights =
      std::conditional_t<Hop::weighted, HopWeights<typename Hop::T, Hop::hops, Hop::directions_alike>,
                         EqualWeights>;
  using Unit = UnitLinks<Arch, Time>;
  static constexpr int block_size = Hop::template threads<Width>;
  static constexpr int min_blocks = Hop::template blocks<Width>;
  static constexpr int depth = Hop::depth;
  static constexpr bool has_faces = Ghosts;

  Lattice lattice;
  Hop hop;
  Weights weights;
  GhostFaces<Face> ghosts;
  int parity;  // of the sites that are written
  typename Hop::Active active;

  // On a device: whether the site needs a face of another rank.
  PLAQ_HD bool has_ghosts(const Site& site) const {
    return lattice.shape().at_split_edge(lattice.shape().coordinates(parity, site.index), depth);
  }

  PLAQ_HD void operator()(const Site& site, int k) const {
    static_assert(FinishedHopFormula<Hop>);
    const Point point = lattice.point(parity, site);
    Batch batch;
    batch.count = Width == 1 ? 1 : active.count() - k * Width;
    if (batch.count > Width) batch.count = Width;
#pragma unroll
    for (int r = 0; r < Width; ++r) {
      batch.rhs[r] = active[k * Width + (batch.has(r) ? r : batch.count - 1)];
      batch.sum[r] = Hop::zero();
    }
    for_each_hop(hop, [&](auto h) {
      const Neighbor n = neighbor(h, point);
      const auto open = open_hop(h, point, n, [&] { return link(h, site, n); });
#pragma unroll
      for (int r = 0; r < Width; ++r)
        add_hop(
            h, point, batch.rhs[r], n, open, [&] { return at_home(h, batch.rhs[r], n); }, batch.sum[r]);
    });
#pragma unroll
    for (int r = 0; r < Width; ++r) {
      if (!batch.has(r)) break;
      hop.finish(lattice, parity, site, batch.rhs[r], batch.sum[r]);
    }
  }

  // The sum alone, of one right-hand side.
  PLAQ_HD Sum sum_at(const Site& site, int rhs) const {
    const Point point = lattice.point(parity, site);
    Sum sum = Hop::zero();
    for_each_hop(hop, [&](auto h) {
      const Neighbor n = neighbor(h, point);
      const auto open = open_hop(h, point, n, [&] { return link(h, site, n); });
      add_hop(
          h, point, rhs, n, open, [&] { return at_home(h, rhs, n); }, sum);
    });
    return sum;
  }

  // The parts of a hop, for kernels whose links or neighbours wait elsewhere.

  template <class H>
  PLAQ_HD Neighbor neighbor(H h, const Point& point) const {
    if constexpr (H::steps == 1) return lattice.neighbor(point, h.mu, H::ahead);
    return lattice.third_neighbor(point, h.mu, H::ahead);
  }
  template <class H>
  PLAQ_HD Link link(H h, const Site& site, const Neighbor& n) const {
    if constexpr (H::ahead) {
      return hop.link(h, parity, site);
    } else {
      return hop.link(h, 1 - parity, n);
    }
  }
  // Part of a hop that all right-hand sides share; n has `edge`, `read` loads the link.
  template <class H, class Near, class Read>
  PLAQ_HD auto open_hop(H h, const Point& point, const Near& n, const Read& read) const {
    using Weight = decltype(weight(h, point, n.edge));
    using UnitMask = decltype(Unit::of(h, weights, n.edge));
    struct Open {
      Read read;
      Weight weight;
      UnitMask unit;
      bool some_link, ghosts = false;
      Link u;  // not set where no link is needed
      PLAQ_HD explicit Open(const Read& r) : read(r) {}
    } open(read);
    open.weight = weight(h, point, n.edge);
    if constexpr (Ghosts) open.ghosts = ghosts.face[h.face()] && any(n.edge);
    open.unit = Unit::of(h, weights, n.edge);
    open.some_link = !Unit::template possible<H> || !Unit::all(open.unit);
    if constexpr (!ghosts_are_products<H>) {
      if (open.some_link) open.u = read();
    }
    return open;
  }
  // `near` gives the neighbour's contribution without its link.
  template <class H, class Near, class Open, class Load>
  PLAQ_HD void add_hop(H h, const Point& point, int rhs, const Near& n, const Open& open, const Load& near,
                       Sum& sum) const {
    Contribution contribution;
    if constexpr (ghosts_are_products<H>) {
      // One branch: of three alike a compiler keeps in registers what all of them load.
      if (open.ghosts) {
        contribution = ghost(h, rhs, point);
      } else {
        contribution = near();
        if (open.some_link) multiply(h, open.read(), open.unit, contribution);
      }
    } else if constexpr (Ghosts && !groups) {
      if (open.ghosts) {
        contribution = ghost(h, rhs, point);
      } else {
        contribution = near();
      }
      if (open.some_link) multiply(h, open.u, open.unit, contribution);
    } else {
      contribution = near();
      if constexpr (Ghosts && H::ahead) {
        if (open.ghosts) replace(n.edge, ghost(h, rhs, point), contribution);
      }
      if (open.some_link) multiply(h, open.u, open.unit, contribution);
      if constexpr (Ghosts && !H::ahead) {
        if (open.ghosts) replace(n.edge, ghost(h, rhs, point), contribution);
      }
    }
    if constexpr (Hop::scaled) {
      hop.add(h, sum, contribution.value, open.weight * contribution.factor);
    } else {
      hop.add(h, sum, contribution.value, open.weight);
    }
  }

  // P_h psi of a neighbour, from this rank's memory.
  template <class H, class Index>
  PLAQ_HD Contribution at_home(H h, int rhs, const Index& n) const {
    Contribution p;
    const auto vector = hop.load(rhs, n, p.factor);
    p.value = hop.project(h, vector);
    return p;
  }

 private:
  // A host's site is a group of sites, of which some may have ghosts; of a device's site all is known.
  static constexpr bool groups = Arch::width > 1;

  // Contribution of a hop whose neighbour is a ghost, which is a product already, or at home, where its link
  // is read.
  template <class H>
  static constexpr bool ghosts_are_products = Ghosts && !groups && !H::ahead;

  // The right-hand sides of a call. Where there are fewer than Width the last one is computed again, so that
  // no load waits for a branch.
  struct Batch {
    Sum sum[Width];
    int rhs[Width];
    int count;
    PLAQ_HD bool has(int r) const { return Width == 1 || r < count; }
  };

  // c_h(x): with the boundary sign, and what the site adds to it.
  template <class H, class Edge>
  PLAQ_HD auto weight(H h, const Point& point, Edge edge) const {
    if constexpr (!Hop::weighted) {
      return EqualWeights();
    } else {
      const Real c =
          select(edge, Real(weights.across[h.number()]), Real(weights.inside[Weights::place(h.number())]));
      if constexpr (requires { hop.at_site(h, lattice, point, c); }) {
        return hop.at_site(h, lattice, point, c);
      } else {
        return c;
      }
    }
  }
  template <class H>
  PLAQ_HD Contribution ghost(H h, int rhs, const Point& point) const {
    Contribution p;
    const auto load = [&](const auto& index) {
      p.value =
          ghosts.face[h.face()].template load_raw<typename Hop::Carried>(ghosts.first + rhs, index, p.factor);
    };
    if constexpr (H::steps == 1) {
      load(lattice.face_index(point, h.mu));
    } else {
      load(lattice.third_face_index(point, h.mu, H::ahead, ghosts.stride[h.mu], H::ahead ? 0 : 1));
    }
    return p;
  }
  template <class H, class UnitMask>
  PLAQ_HD void multiply(H h, const Link& u, const UnitMask& unit, Contribution& contribution) const {
    auto product = Hop::multiply(h, u, contribution.value);
    if constexpr (Unit::template possible<H> && Arch::width > 1) {
      if (any(unit)) product = select(unit, contribution.value, product);
    }
    contribution.value = product;
  }
  template <class EdgeMask>
  static PLAQ_HD void replace(EdgeMask edge, const Contribution& ghost, Contribution& contribution) {
    contribution.value = select(edge, ghost.value, contribution.value);
    if constexpr (Hop::scaled) contribution.factor = select(edge, ghost.factor, contribution.factor);
  }
};

}  // namespace plaq

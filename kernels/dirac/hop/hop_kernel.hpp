// The sum over the directed hops of a site, for any discretisation and both machines. What one hop contributes is the
// discretisation's own class (WilsonHop, StaggeredHop, LaplacianHop, GaugeFixingHop); where its neighbour comes from
// is told here: this rank's memory, or for sites at its edge the ghost faces of another rank.
//
// A class `Hop` has
//   Arch, Real, Site          of its machine (core/launch/arch.hpp)
//   Sum                       what hops add up to, and zero() to begin with
//   Carried, Face             what a face carries of a neighbour, and the view that stores it
//   Active                    which right-hand sides are meant: an ActiveSet, or like it
//   hops, depth, directions() how many directed hops, slices that they reach, directions that hop at all; where a call
//                             decides on that, least_directions hop in all
//   directions_alike          whether the direction of a hop is a mere number to it
//   link(h, parity, index)    the link of hop h that belongs to a site; h: DirectedHop
//   load(rhs, index, factor)  a neighbour's vector, divided by `factor`
//   carry(h, vector)          the part of it that hop h needs
//   multiply(h, u, carried)   U v ahead, U^dagger v behind
//   weight(h, ...), add(h, sum, piece, weight)
//   finish(...)               what follows the sum: the store
// and for its launches what kernels/dirac/hop/hop_launch_body.hpp says.
//
// Rounding: link times what is carried is rounded before it is added, in the order of the hops. For hops behind, the
// rank that owns the link multiplies, so that no links travel; at home the same product has the same bits.
#pragma once

#include "core/lattice/lattice_view.hpp"
#include "core/operator/active_set.hpp"
#include "kernels/dirac/hop/directed_hop.hpp"

namespace plaq {

// What a hop adds, divided by `factor`.
template <class Carried, class Real>
struct HopPiece {
  Carried value;
  Real factor;
};

// The ghosts of a rank by directed hop, site = LatticeShape::face_index, subfield = first + right-hand side; closed: no
// ghosts there. Layers as LatticeView::third_face_index has them, every `stride` sites by direction: ahead three slices
// for hops of any length, behind those of three steps follow the one of one step.
template <class Face>
struct GhostFaces {
  Face face[8];
  int stride[4] = {0, 0, 0, 0};
  int first = 0;
};

// Ghosts: whether sites may have neighbours on other ranks. Width: right-hand sides that a link is multiplied with once
// it is in registers; the k-th call is for the active ones from k * Width on.
template <class HopT, bool Ghosts, int Width = 1>
struct HopKernel {
  using Hop = HopT;
  using Arch = typename Hop::Arch;
  using Real = typename Hop::Real;
  using Site = typename Hop::Site;
  using Lattice = LatticeView<typename Arch::Target, typename Hop::T>;
  using Point = typename Lattice::Point;
  using Neighbor = typename Arch::Neighbor;
  using Sum = typename Hop::Sum;
  using Link = typename Hop::Link;
  using Piece = HopPiece<typename Hop::Carried, Real>;
  static constexpr int block_size = Hop::template threads<Width>;
  static constexpr int min_blocks = Hop::template blocks<Width>;
  static constexpr int depth = Hop::depth;
  static constexpr bool has_faces = Ghosts;

  Lattice lattice;
  Hop hop;
  GhostFaces<typename Hop::Face> ghosts;
  int parity;  // of the sites that are written
  typename Hop::Active active;

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
      batch.sum[r] = Hop::zero();
    }
    for_each_hop(hop, [&](auto h) {
      const Neighbor n = neighbor(h, point);
      const auto open = open_hop(h, point, n, [&] { return link(h, site, n); });
#pragma unroll
      for (int r = 0; r < Width; ++r)
        add_hop(
            h, point, batch.rhs[r], n, open, [&] { return piece(h, batch.rhs[r], n); }, batch.sum[r]);
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
          h, point, rhs, n, open, [&] { return piece(h, rhs, n); }, sum);
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
  // What is the same for all right-hand sides; n has `edge`, `read` loads the link.
  template <class H, class Near, class Read>
  PLAQ_HD auto open_hop(H h, const Point& point, const Near& n, const Read& read) const {
    using Weight = decltype(hop.weight(h, lattice, point, n.edge));
    using Unit = decltype(hop.unit_link(h, n.edge));
    struct Open {
      Read read;
      Weight weight;
      Unit unit;
      bool some_link, ghosts = false;
      Link u;  // not set where no link is needed
      PLAQ_HD explicit Open(const Read& r) : read(r) {}
    } open(read);
    open.weight = hop.weight(h, lattice, point, n.edge);
    if constexpr (Ghosts) open.ghosts = ghosts.face[h.face()] && any(n.edge);
    open.unit = hop.unit_link(h, n.edge);
    open.some_link = !Hop::template may_be_unit<H> || !hop.all_unit(open.unit);
    if constexpr (!ghosts_are_products<H>) {
      if (open.some_link) open.u = read();
    }
    return open;
  }
  // `near` gives the neighbour's piece.
  template <class H, class Near, class Open, class Load>
  PLAQ_HD void add_hop(H h, const Point& point, int rhs, const Near& n, const Open& open, const Load& near,
                       Sum& sum) const {
    Piece piece;
    if constexpr (ghosts_are_products<H>) {
      // One branch: of three alike a compiler keeps in registers what all of them load.
      if (open.ghosts) {
        piece = ghost(h, rhs, point);
      } else {
        piece = near();
        if (open.some_link) multiply(h, open.read(), open.unit, piece);
      }
    } else if constexpr (Ghosts && !groups) {
      if (open.ghosts) {
        piece = ghost(h, rhs, point);
      } else {
        piece = near();
      }
      if (open.some_link) multiply(h, open.u, open.unit, piece);
    } else {
      piece = near();
      if constexpr (Ghosts && H::ahead) {
        if (open.ghosts) replace(n.edge, ghost(h, rhs, point), piece);
      }
      if (open.some_link) multiply(h, open.u, open.unit, piece);
      if constexpr (Ghosts && !H::ahead) {
        if (open.ghosts) replace(n.edge, ghost(h, rhs, point), piece);
      }
    }
    hop.add(h, sum, piece, open.weight);
  }

  // A neighbour's piece, from this rank's memory.
  template <class H, class Index>
  PLAQ_HD Piece piece(H h, int rhs, const Index& n) const {
    Piece p;
    const auto vector = hop.load(rhs, n, p.factor);
    p.value = hop.carry(h, vector);
    return p;
  }

 private:
  // A host's site is a group of sites, of which some may have ghosts; of a device's site all is known.
  static constexpr bool groups = Arch::width > 1;

  // Of a hop behind whose neighbour is either a ghost, a product already, or at home, where its link is read.
  template <class H>
  static constexpr bool ghosts_are_products = Ghosts && !groups && !H::ahead;

  // The right-hand sides of a call. Where there are fewer than Width the last one is computed again, so that no load
  // waits for a branch.
  struct Batch {
    Sum sum[Width];
    int rhs[Width];
    int count;
    PLAQ_HD bool has(int r) const { return Width == 1 || r < count; }
  };

  template <class H>
  PLAQ_HD Piece ghost(H h, int rhs, const Point& point) const {
    Piece p;
    const auto load = [&](const auto& index) {
      p.value = Hop::received(ghosts.face[h.face()], ghosts.first + rhs, index, p.factor);
    };
    if constexpr (H::steps == 1) {
      load(lattice.face_index(point, h.mu));
    } else {
      load(lattice.third_face_index(point, h.mu, H::ahead, ghosts.stride[h.mu], H::ahead ? 0 : 1));
    }
    return p;
  }
  template <class H, class Unit>
  PLAQ_HD void multiply(H h, const Link& u, const Unit& unit, Piece& piece) const {
    auto product = Hop::multiply(h, u, piece.value);
    if constexpr (Hop::template may_be_unit<H> && Arch::width > 1) {
      if (any(unit)) product = select(unit, piece.value, product);
    }
    piece.value = product;
  }
  template <class EdgeMask>
  static PLAQ_HD void replace(EdgeMask edge, const Piece& ghost, Piece& piece) {
    piece.value = select(edge, ghost.value, piece.value);
    if constexpr (Hop::scaled) piece.factor = select(edge, ghost.factor, piece.factor);
  }
};

// For hops whose links are never known to be 1.
struct OrdinaryLinks {
  template <class H>
  static constexpr bool may_be_unit = false;
  template <class H, class Mask>
  static PLAQ_HD Mask unit_link(H, Mask) {
    return Mask{};
  }
  template <class Mask>
  static PLAQ_HD bool all_unit(Mask) {
    return false;
  }
  template <class H>
  static PLAQ_HD bool unit_sent(H) {
    return false;
  }
};

}  // namespace plaq

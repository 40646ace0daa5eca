// The Wilson hopping term at one site, for both machines. Clark et al. 2010, eq. (1):
//   (D psi)(x) = sum_mu c_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu)
//   ]
// with c_mu = hopping weight (anisotropy) times the boundary sign where the hop leaves the lattice; the
// dagger exchanges the projectors. 1320 flops a site. Written: out = a * x + b * D in, or D in alone; with
// the chiral blocks C of a clover term, 504 flops more, they multiply either D in or x.
//
// Rounding: link times half spinor is rounded, then added with one fma, x forward, x backward, y forward, ...
// A boundary site takes the half spinors of other ranks from ghost faces: projected by the sender, and for
// backward hops already multiplied by the sender's link, which rounds to the same bits. Half precision is
// multiplied as it is stored, in integers; the factors of link and spinor go into the hop's weight.
//
// Temporal gauge (section 4.3): time links that are 1 are neither read nor multiplied, at home as in faces.
#pragma once

#include "core/active_set.hpp"
#include "core/lattice_view.hpp"
#include "core/stash.hpp"
#include "core/views.hpp"
#include "kernels/site/chiral_block.hpp"
#include "kernels/site/face_view.hpp"
#include "kernels/site/hop_weights.hpp"

namespace plaq {

template <class Target, class S>
struct GhostFaces {
  // By directed hop; site = LatticeShape::face_index, slot = right-hand side; closed: no ghosts there.
  FaceView<Target, S> face[8];
};

// S: storage of spinors and links, the latter of `Reals` reals. Ghosts: whether sites may have neighbours on
// other ranks. Clover: whether there may be chiral blocks. Held: one call is for all right-hand sides, which
// pass one after the other while the eight links stay where they are (on a device in shared memory); else for
// the k-th. Temporal: whether time links may be 1.
template <class TargetT, class S, int Reals, bool Ghosts, bool Clover, bool Held, bool Temporal>
struct WilsonHop {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  using Links = GaugeView<TargetT, S, Reals>;
  using Spinors = SpinorView<TargetT, S>;
  using StashedNeighbor = typename Arch::StashedNeighbor;
  // 512 threads a multiprocessor where the numbers are of 4 bytes, in double 384.
  static constexpr int stashed_bytes =
      8 * static_cast<int>(sizeof(typename Links::Packed) + sizeof(StashedNeighbor));
  static constexpr int block_size = Held ? stash_threads(stashed_bytes) : sizeof(T) == 4 ? 256 : 128;
  static constexpr int min_blocks = (sizeof(T) == 4 ? 512 : 384) / block_size;

  Lattice lattice;
  Links links;
  Spinors in;                     // of the other parity
  Spinors out;                    // of `parity`
  Spinors add;                    // x; may be closed
  CloverView<TargetT, S> clover;  // may be closed
  bool clover_on_add = false;     // C multiplies x instead of D in
  GhostFaces<TargetT, S> ghosts;
  HopWeights<T> weights;  // times the factor that raw links are to be multiplied with
  T a, b;
  int parity;
  ActiveSet active;

  // On a device: whether the site needs a face of another rank.
  PLAQ_HD bool has_ghosts(const Site& site) const {
    return lattice.shape().at_split_edge(lattice.shape().coordinates(parity, site.index));
  }

  PLAQ_HD void operator()(const Site& site, int k) const {
    const Point point = lattice.point(parity, site);
    if constexpr (Held) {
      Neighbors to;
      LinksTo links_to;
      put<0>(site, point, to, links_to);
      put<1>(site, point, to, links_to);
      put<2>(site, point, to, links_to);
      put<3>(site, point, to, links_to);
      put<4>(site, point, to, links_to);
      put<5>(site, point, to, links_to);
      put<6>(site, point, to, links_to);
      put<7>(site, point, to, links_to);
#pragma unroll 1
      for (int each = 0; each < active.count(); ++each) {
        to.next_pass();
        links_to.next_pass();
        apply(
            site, point, active[each], [&]<int D>() -> Neighbor { return to.get(D); },
            [&]<int D>(const Neighbor&) { return Links::unpack_raw(links_to.get(D)); });
      }
    } else {
      apply(
          site, point, active[k], [&]<int D>() { return neighbor<D>(point); },
          [&]<int D>(const Neighbor& n) {
            return D % 2 == 0 ? links.load_raw(D / 2, parity, site) : links.load_raw(D / 2, 1 - parity, n);
          });
    }
  }

  template <int D>
  PLAQ_HD typename Arch::Neighbor neighbor(const Point& point) const {
    return lattice.neighbor(point, D / 2, D % 2 == 0);
  }
  // The directed hop D of the right-hand side that spinor(n, factor) reads divided by `factor`, SpinView's
  // offset added; link(n): U. n has `edge`.
  template <int D, class Near, class Link, class From>
  PLAQ_HD void hop(const Point& point, int rhs, const Near& n, const Link& link, const From& spinor,
                   Spinor<Real>& sum) const {
    constexpr int mu = D / 2;
    constexpr bool ahead = D % 2 == 0;
    const Real c = select(n.edge, Real(weights.across[D]), Real(weights.inside[mu]));
    const Real sign = ahead ? Real(weights.projector_sign) : -Real(weights.projector_sign);
    // On the device a site is either a ghost's neighbour or not; on the host a group may be mixed.
    const bool any_ghost = Ghosts && ghosts.face[D] && any(n.edge);
    const bool all_ghosts = any_ghost && Arch::width == 1;
    typename Arch::Mask unit{};
    if constexpr (may_be_unit<D>) unit = unit_link<D>(n.edge);
    const bool some_link = !may_be_unit<D> || !all(unit);
    Matrix3<Real> u;
    if ((ahead || !all_ghosts) && some_link) u = link(n);
    Hop h;
    if (all_ghosts) {
      h = ghost<D>(rhs, point);
    } else {
      const auto psi = spinor(n, h.factor);
      if constexpr (Spinors::offset != 0) {
        h.half = project_shifted<mu>(psi, sign, Real(Spinors::offset));
      } else {
        h.half = project<mu>(psi, sign);
      }
    }
    if constexpr (ahead) {
      if (any_ghost && !all_ghosts) replace(n.edge, ghost<D>(rhs, point), h);
      if (some_link) h.half = unless<D>(unit, h.half, Links::times(u, h.half));
    } else {
      if (!all_ghosts && some_link) h.half = unless<D>(unit, h.half, Links::dagger_times(u, h.half));
      if (any_ghost && !all_ghosts) replace(n.edge, ghost<D>(rhs, point), h);
    }
    add_hop<mu>(sum, h, c, sign);
  }
  // What follows D in: clover blocks, x, and the store.
  PLAQ_HD void finish(const Site& site, int rhs, Spinor<Real>& sum) const {
    if constexpr (Clover) {
      if (clover && !clover_on_add) multiply_blocks(site, sum);
    }
    if (add) {
      Spinor<Real> x = add.template load<Spinor<Real>>(rhs, site);
      if constexpr (Clover) {
        if (clover && clover_on_add) multiply_blocks(site, x);
      }
      sum = combine(Real(a), x, Real(b), sum);
    }
    out.store(rhs, site, sum);
  }

 private:
  using Neighbor = typename Arch::Neighbor;
  // By directed hop.
  using Neighbors = Stash<TargetT, StashedNeighbor, 8, block_size>;
  using LinksTo = Stash<TargetT, typename Links::Packed, 8, block_size>;
  template <int D>
  PLAQ_HD void put(const Site& site, const Point& point, Neighbors& to, LinksTo& links_to) const {
    const Neighbor n = neighbor<D>(point);
    to.put(D, n);
    links_to.put(D, packed<D>(site, n));
  }
  // The link to a neighbour.
  template <int D>
  PLAQ_HD typename Links::Packed packed(const Site& site, const Neighbor& n) const {
    if constexpr (may_be_unit<D>) {
      if (all(unit_link<D>(n.edge))) return {};
    }
    if constexpr (D % 2 == 0) {
      return links.load_packed(D / 2, parity, site);
    } else {
      return links.load_packed(D / 2, 1 - parity, n);
    }
  }

  // Where the link of the directed hop D is 1: for some lanes of a group on the host.
  template <int D>
  static constexpr bool may_be_unit = Temporal&& D / 2 == 3;
  template <int D>
  PLAQ_HD typename Arch::Mask unit_link(typename Arch::Mask edge) const {
    constexpr bool known =
        Arch::width == 1 && !Ghosts;  // a device has a kernel of its own for temporal gauge
    return one_of(edge, weights.unit_across[D % 2], known || weights.unit_inside);
  }
  static PLAQ_HD bool one_of(bool edge, bool across, bool inside) { return edge ? across : inside; }
  static PLAQ_HD bool all(bool unit) { return unit; }
#if !defined(__CUDACC__)
  static constexpr LaneMask every_lane = static_cast<LaneMask>((std::uint64_t{1} << Arch::width) - 1);
  static PLAQ_HD LaneMask one_of(LaneMask edge, bool across, bool inside) {
    return (across ? edge : 0) | (inside ? every_lane & ~edge : 0);
  }
  static PLAQ_HD bool all(LaneMask unit) { return unit == every_lane; }
#endif

  // Everything for the right-hand side `rhs`.
  template <class To, class Link>
  PLAQ_HD void apply(const Site& site, const Point& point, int rhs, const To& to, const Link& link) const {
    Spinor<Real> sum = zero_spinor<Real>();
    const auto spinor = [&](const Neighbor& n, Real& factor) {
      return in.template load_offset<Spinor<Real>>(rhs, n, factor);
    };
    const auto one = [&]<int D>() {
      hop<D>(
          point, rhs, to.template operator()<D>(),
          [&](const Neighbor& n) { return link.template operator()<D>(n); }, spinor, sum);
    };
    one.template operator()<0>();
    one.template operator()<1>();
    one.template operator()<2>();
    one.template operator()<3>();
    one.template operator()<4>();
    one.template operator()<5>();
    one.template operator()<6>();
    one.template operator()<7>();
    finish(site, rhs, sum);
  }

  PLAQ_HD void multiply_blocks(const Site& site, Spinor<Real>& psi) const {
#pragma unroll
    for (int chirality = 0; chirality < 2; ++chirality) {
      Real factor;
      const auto block = clover.load_raw(chirality, site, factor);
      multiply_chirality(psi, chirality, block);
      if constexpr (Spinors::scaled) {
#pragma unroll
        for (int s = 2 * chirality; s < 2 * chirality + 2; ++s)
#pragma unroll
          for (int c = 0; c < 3; ++c) psi.s[s].c[c] = scale(factor, psi.s[s].c[c]);
      }
    }
  }

  // What a hop adds, divided by `factor`.
  struct Hop {
    HalfSpinor<Real> half;
    Real factor;
  };

  template <int D>
  PLAQ_HD Hop ghost(int rhs, const Point& point) const {
    Hop hop;
    hop.half =
        ghosts.face[D].template load_raw<HalfSpinor<Real>>(rhs, lattice.face_index(point, D / 2), hop.factor);
    return hop;
  }
  template <int Mu>
  static PLAQ_HD void add_hop(Spinor<Real>& sum, const Hop& hop, const Real& c, const Real& sign) {
    Real weight = c;
    if constexpr (Spinors::scaled) weight = c * hop.factor;
    accumulate<Mu>(sum, hop.half, weight, sign * weight);
  }

  // U h, or h where the link is 1; on a device that is nowhere.
  template <int D, class Mask>
  static PLAQ_HD HalfSpinor<Real> unless(Mask unit, const HalfSpinor<Real>& h, const HalfSpinor<Real>& uh) {
    if constexpr (may_be_unit<D> && Arch::width > 1) {
      if (any(unit)) return select(unit, h, uh);
    }
    return uh;
  }
  template <class Mask>
  static PLAQ_HD void replace(Mask edge, const Hop& ghost, Hop& hop) {
    hop.half = select(edge, ghost.half, hop.half);
    if constexpr (Spinors::scaled) hop.factor = select(edge, ghost.factor, hop.factor);
  }
};

}  // namespace plaq

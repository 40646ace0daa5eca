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
#pragma once

#include "core/active_set.hpp"
#include "core/lattice_view.hpp"
#include "core/views.hpp"
#include "kernels/site/chiral_block.hpp"
#include "kernels/site/hop_weights.hpp"

namespace plaq {

template <class Target, class S>
struct GhostFaces {
  HalfSpinorView<Target, S>
      face[8];  // by directed hop; site = LatticeShape::face_index, slot = right-hand side
};

// S: storage of spinors and links, the latter of `Reals` reals. Ghosts: whether sites may have neighbours on
// other ranks. Width: right-hand sides of one call. Clover: whether there may be chiral blocks.
template <class TargetT, class S, int Reals, bool Ghosts, int Width, bool Clover>
struct WilsonHop {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  using Links = GaugeView<TargetT, S, Reals>;
  using Spinors = SpinorView<TargetT, S>;
  static constexpr int block_size = sizeof(T) == 4 ? 256 : 128;
  static constexpr int min_blocks = sizeof(T) == 4 ? (Width == 1 ? 2 : 1) : 3;

  Lattice lattice;
  Links links;
  Spinors in;                     // of the other parity
  Spinors out;                    // of `parity`
  Spinors add;                    // x; may be closed
  CloverView<TargetT, S> clover;  // may be closed
  bool clover_on_add = false;     // C multiplies x instead of D in
  GhostFaces<TargetT, S> ghosts;
  HopWeights<T> weights;
  T a, b;
  int parity;
  ActiveSet active;

  PLAQ_HD void operator()(const Site& site, int group) const {
    const Point point = lattice.point(parity, site);
    const int first = group * Width;
    Spinor<Real> sum[Width];
#pragma unroll
    for (int w = 0; w < Width; ++w) sum[w] = zero_spinor<Real>();
    forward<0>(site, point, first, sum);
    backward<0>(point, first, sum);
    forward<1>(site, point, first, sum);
    backward<1>(point, first, sum);
    forward<2>(site, point, first, sum);
    backward<2>(point, first, sum);
    forward<3>(site, point, first, sum);
    backward<3>(point, first, sum);
    if constexpr (Clover) {
      if (clover && !clover_on_add) multiply_blocks(site, sum);
    }
    if (!add) return store(site, first, sum);
    Spinor<Real> x[Width];
#pragma unroll
    for (int w = 0; w < Width; ++w) x[w] = add.template load<Spinor<Real>>(slot(first + w), site);
    if constexpr (Clover) {
      if (clover && clover_on_add) multiply_blocks(site, x);
    }
#pragma unroll
    for (int w = 0; w < Width; ++w) sum[w] = combine(Real(a), x[w], Real(b), sum[w]);
    store(site, first, sum);
  }

 private:
  PLAQ_HD void store(const Site& site, int first, const Spinor<Real> (&sum)[Width]) const {
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      if (Width > 1 && first + w >= active.count()) break;
      out.store(active[first + w], site, sum[w]);
    }
  }
  // The blocks of a site are read once for all right-hand sides of the call.
  PLAQ_HD void multiply_blocks(const Site& site, Spinor<Real> (&psi)[Width]) const {
#pragma unroll
    for (int chirality = 0; chirality < 2; ++chirality) {
      Real factor;
      const auto block = clover.load_raw(chirality, site, factor);
#pragma unroll
      for (int w = 0; w < Width; ++w) {
        multiply_chirality(psi[w], chirality, block);
        if constexpr (Spinors::scaled) {
#pragma unroll
          for (int s = 2 * chirality; s < 2 * chirality + 2; ++s)
#pragma unroll
            for (int c = 0; c < 3; ++c) psi[w].s[s].c[c] = scale(factor, psi[w].s[s].c[c]);
        }
      }
    }
  }

  // What a hop adds, divided by `factor`.
  struct Hop {
    HalfSpinor<Real> half;
    Real factor;
  };

  // Slot of the k-th right-hand side; the last one again beyond the end.
  PLAQ_HD int slot(int k) const { return active[Width == 1 || k < active.count() ? k : active.count() - 1]; }
  template <int Mu, class Index>
  PLAQ_HD Hop projected(int rhs, const Index& index, const Real& sign) const {
    Hop hop;
    const auto psi = in.template load_offset<Spinor<Real>>(rhs, index, hop.factor);
    if constexpr (Spinors::offset != 0) {
      hop.half = project_shifted<Mu>(psi, sign, Real(Spinors::offset));
    } else {
      hop.half = project<Mu>(psi, sign);
    }
    return hop;
  }
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
    if constexpr (Spinors::scaled) weight = c * (hop.factor * Real(Links::factor));
    accumulate<Mu>(sum, hop.half, weight, sign * weight);
  }

  template <int Mu>
  PLAQ_HD void forward(const Site& site, const Point& point, int first, Spinor<Real> (&sum)[Width]) const {
    const auto next = lattice.neighbor(point, Mu, true);
    const Real c = select(next.edge, Real(weights.across[2 * Mu]), Real(weights.inside[Mu]));
    const Real sign = Real(weights.projector_sign);
    const bool any_ghost = Ghosts && lattice.shape().is_partitioned(Mu) && any(next.edge);
    const Matrix3<Real> u = links.load_raw(Mu, parity, site);
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = slot(first + w);
      Hop hop;
      if (any_ghost && Arch::width == 1) {
        hop = ghost<2 * Mu>(rhs, point);
      } else {
        hop = projected<Mu>(rhs, next, sign);
        if (any_ghost) replace(next.edge, ghost<2 * Mu>(rhs, point), hop);
      }
      hop.half = u * hop.half;
      add_hop<Mu>(sum[w], hop, c, sign);
    }
  }

  template <int Mu>
  PLAQ_HD void backward(const Point& point, int first, Spinor<Real> (&sum)[Width]) const {
    const auto last = lattice.neighbor(point, Mu, false);
    const Real c = select(last.edge, Real(weights.across[2 * Mu + 1]), Real(weights.inside[Mu]));
    const Real sign = -Real(weights.projector_sign);
    const bool any_ghost = Ghosts && lattice.shape().is_partitioned(Mu) && any(last.edge);
    Matrix3<Real> u;
    if (!(any_ghost && Arch::width == 1)) u = links.load_raw(Mu, 1 - parity, last);
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = slot(first + w);
      Hop hop;
      if (any_ghost && Arch::width == 1) {
        hop = ghost<2 * Mu + 1>(rhs, point);
      } else {
        hop = projected<Mu>(rhs, last, sign);
        hop.half = dagger_times(u, hop.half);
        if (any_ghost) replace(last.edge, ghost<2 * Mu + 1>(rhs, point), hop);
      }
      add_hop<Mu>(sum[w], hop, c, sign);
    }
  }

  // On the device a site is either a ghost's neighbour or not; on the host a group may be mixed.
  template <class Mask>
  static PLAQ_HD void replace(Mask edge, const Hop& ghost, Hop& hop) {
    hop.half = select(edge, ghost.half, hop.half);
    if constexpr (Spinors::scaled) hop.factor = select(edge, ghost.factor, hop.factor);
  }
};

}  // namespace plaq

// The Wilson hopping term at one site, for both machines. Clark et al. 2010, eq. (1):
//   (D psi)(x) = sum_mu c_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu)
//   ]
// with c_mu = hopping weight (anisotropy) times the boundary sign where the hop leaves the lattice; the
// dagger exchanges the projectors. 1320 flops a site. Written: out = a * x + b * D in, or D in alone.
//
// Rounding: link times half spinor is rounded, then added with one fma, x forward, x backward, y forward, ...
// A boundary site takes the half spinors of other ranks from ghost faces: projected by the sender, and for
// backward hops already multiplied by the sender's link, which rounds to the same bits.
#pragma once

#include "core/lattice_view.hpp"
#include "core/views.hpp"
#include "kernels/site/hop_weights.hpp"

namespace plaq {

template <class Target, class T>
struct GhostFaces {
  HalfSpinorView<Target, T>
      face[8];  // by directed hop; site = LatticeShape::face_index, slot = right-hand side
};

// Ghosts: whether sites may have neighbours on other ranks. Width: right-hand sides of one call.
template <class TargetT, class T, bool Ghosts, int Width>
struct WilsonHop {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  using Half = HalfSpinor<Real>;
  static constexpr int block_size = sizeof(T) == 4 ? 256 : 128;
  static constexpr int min_blocks = sizeof(T) == 4 ? (Width == 1 ? 2 : 1) : 3;

  Lattice lattice;
  GaugeView<TargetT, T> links;
  SpinorView<TargetT, T> in;   // of the other parity
  SpinorView<TargetT, T> out;  // of `parity`
  SpinorView<TargetT, T> add;  // x; may be closed
  GhostFaces<TargetT, T> ghosts;
  HopWeights<T> weights;
  T a, b;
  int parity;
  int batch;

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
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = first + w;
      if (Width > 1 && rhs >= batch) break;
      if (add) {
        const auto x = add.template load<Spinor<Real>>(rhs, site);
        out.store(rhs, site, combine(Real(a), x, Real(b), sum[w]));
      } else {
        out.store(rhs, site, sum[w]);
      }
    }
  }

 private:
  PLAQ_HD int clamped(int rhs) const { return Width == 1 || rhs < batch ? rhs : batch - 1; }

  template <int Mu>
  PLAQ_HD void forward(const Site& site, const Point& point, int first, Spinor<Real> (&sum)[Width]) const {
    const auto next = lattice.neighbor(point, Mu, true);
    const Real c = select(next.edge, Real(weights.across[2 * Mu]), Real(weights.inside[Mu]));
    const Matrix3<Real> u = links.load(Mu, parity, site);
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = clamped(first + w);
      auto local = [&] {
        return project<Mu>(in.template load<Spinor<Real>>(rhs, next), Real(weights.projector_sign));
      };
      Half h;
      if (Ghosts && lattice.shape().is_partitioned(Mu) && any(next.edge)) {
        const Half g = ghosts.face[2 * Mu].template load<Half>(rhs, lattice.face_index(point, Mu));
        h = choose(next.edge, g, local);
      } else {
        h = local();
      }
      accumulate<Mu>(sum[w], u * h, c, Real(weights.projector_sign) * c);
    }
  }

  template <int Mu>
  PLAQ_HD void backward(const Point& point, int first, Spinor<Real> (&sum)[Width]) const {
    const auto last = lattice.neighbor(point, Mu, false);
    const Real c = select(last.edge, Real(weights.across[2 * Mu + 1]), Real(weights.inside[Mu]));
    const bool any_ghost = Ghosts && lattice.shape().is_partitioned(Mu) && any(last.edge);
    Matrix3<Real> u;
    if (!(any_ghost && Arch::width == 1)) u = links.load(Mu, 1 - parity, last);
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = clamped(first + w);
      auto local = [&] {
        return dagger_times(
            u, project<Mu>(in.template load<Spinor<Real>>(rhs, last), -Real(weights.projector_sign)));
      };
      Half h;
      if (any_ghost) {
        const Half g = ghosts.face[2 * Mu + 1].template load<Half>(rhs, lattice.face_index(point, Mu));
        h = choose(last.edge, g, local);
      } else {
        h = local();
      }
      accumulate<Mu>(sum[w], h, c, -(Real(weights.projector_sign) * c));
    }
  }

  // On the device a site is either a ghost's neighbour or not; on the host a group may be mixed.
  template <class Local>
  static PLAQ_HD Half choose(bool, const Half& ghost, Local&&) {
    return ghost;
  }
#if !defined(__CUDACC__)
  template <class Local>
  static PLAQ_HD Half choose(LaneMask edge, const Half& ghost, Local&& local) {
    return select(edge, ghost, local());
  }
#endif
};

}  // namespace plaq

// The gauge-covariant Laplacian in space at one site, for both machines:
//   (Lap psi)(x) = sum_i [ U_i(x) psi(x+i) + U_i(x-i)^dagger psi(x-i) - 2 psi(x) ],  i = x, y, z, periodic.
// Written: out = a psi + b (the sum of the six hops).
//
// Rounding: link times spinor is rounded, then added, x forward, x backward, y forward, ... A boundary site
// takes backward hops from other ranks already multiplied by the sender's link, which rounds to the same
// bits.
#pragma once

#include "core/lattice_view.hpp"
#include "core/views.hpp"

namespace plaq {

// The same link times all four spin components.
template <class Real>
PLAQ_HD Spinor<Real> operator*(const Matrix3<Real>& u, const Spinor<Real>& psi) {
  return {{u * psi.s[0], u * psi.s[1], u * psi.s[2], u * psi.s[3]}};
}
template <class Real>
PLAQ_HD Spinor<Real> dagger_times(const Matrix3<Real>& u, const Spinor<Real>& psi) {
  return {{dagger_times(u, psi.s[0]), dagger_times(u, psi.s[1]), dagger_times(u, psi.s[2]),
           dagger_times(u, psi.s[3])}};
}
template <class Real>
PLAQ_HD void add_to(Spinor<Real>& sum, const Spinor<Real>& psi) {
#pragma unroll
  for (int s = 0; s < 4; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c) sum.s[s].c[c] = sum.s[s].c[c] + psi.s[s].c[c];
}
// Site by site, `yes` where the mask says so.
template <class Mask, class Real>
PLAQ_HD Spinor<Real> select(Mask mask, const Spinor<Real>& yes, const Spinor<Real>& no) {
  Spinor<Real> r;
#pragma unroll
  for (int s = 0; s < 4; ++s)
#pragma unroll
    for (int c = 0; c < 3; ++c)
      r.s[s].c[c] = {select(mask, yes.s[s].c[c].re, no.s[s].c[c].re),
                     select(mask, yes.s[s].c[c].im, no.s[s].c[c].im)};
  return r;
}

// Ghosts: whether sites may have neighbours on other ranks. Width: right-hand sides of one call, which share
// the links in registers.
template <class TargetT, class T, bool Ghosts, int Width>
struct CovariantLaplacian {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Site = typename Arch::Site;
  using Lattice = LatticeView<TargetT, T>;
  using Point = typename Lattice::Point;
  static constexpr int block_size = 128;
  static constexpr int min_blocks = sizeof(T) == 4 ? 2 : 3;  // a spinor, a sum and a link still fit

  Lattice lattice;
  GaugeView<TargetT, T> links;
  SpinorView<TargetT, T> in;        // of the other parity
  SpinorView<TargetT, T> here;      // of `parity`
  SpinorView<TargetT, T> out;       // of `parity`
  SpinorView<TargetT, T> ghost[6];  // by directed hop; site = LatticeShape::face_index
  T a, b;
  int parity;
  int batch;
  int first_ghost;  // slot of the ghosts' first right-hand side

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
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = first + w;
      if (Width > 1 && rhs >= batch) break;
      out.store(rhs, site, combine(Real(a), here.template load<Spinor<Real>>(rhs, site), Real(b), sum[w]));
    }
  }

 private:
  PLAQ_HD int clamped(int rhs) const { return Width == 1 || rhs < batch ? rhs : batch - 1; }

  template <int Mu>
  PLAQ_HD void forward(const Site& site, const Point& point, int first, Spinor<Real> (&sum)[Width]) const {
    const auto next = lattice.neighbor(point, Mu, true);
    const Matrix3<Real> u = links.load(Mu, parity, site);
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = clamped(first + w);
      auto local = [&] { return in.template load<Spinor<Real>>(rhs, next); };
      Spinor<Real> psi;
      if (Ghosts && lattice.shape().is_partitioned(Mu) && any(next.edge)) {
        psi = choose(next.edge, from_ghost<Mu, true>(point, rhs), local);
      } else {
        psi = local();
      }
      add_to(sum[w], u * psi);
    }
  }

  template <int Mu>
  PLAQ_HD void backward(const Point& point, int first, Spinor<Real> (&sum)[Width]) const {
    const auto last = lattice.neighbor(point, Mu, false);
    const bool any_ghost = Ghosts && lattice.shape().is_partitioned(Mu) && any(last.edge);
    Matrix3<Real> u;
    if (!(any_ghost && Arch::width == 1)) u = links.load(Mu, 1 - parity, last);
#pragma unroll
    for (int w = 0; w < Width; ++w) {
      const int rhs = clamped(first + w);
      auto local = [&] { return dagger_times(u, in.template load<Spinor<Real>>(rhs, last)); };
      if (any_ghost) {
        add_to(sum[w], choose(last.edge, from_ghost<Mu, false>(point, rhs), local));
      } else {
        add_to(sum[w], local());
      }
    }
  }

  template <int Mu, bool Forward>
  PLAQ_HD Spinor<Real> from_ghost(const Point& point, int rhs) const {
    return ghost[directed(Mu, Forward)].template load<Spinor<Real>>(first_ghost + rhs,
                                                                    lattice.face_index(point, Mu));
  }

  // On the device a site is either a ghost's neighbour or not; on the host a group may be mixed.
  template <class Local>
  static PLAQ_HD Spinor<Real> choose(bool, const Spinor<Real>& ghost, Local&&) {
    return ghost;
  }
#if !defined(__CUDACC__)
  template <class Local>
  static PLAQ_HD Spinor<Real> choose(LaneMask edge, const Spinor<Real>& ghost, Local&& local) {
    return select(edge, ghost, local());
  }
#endif
};

}  // namespace plaq

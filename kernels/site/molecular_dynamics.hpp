// Momenta P_mu(x) of links, traceless and antihermitian, and the two steps of molecular dynamics:
//   P = (i/2) p^a lambda^a,   K = sum over links of -tr P^2 = sum p^a p^a / 2,
//   dU/dt = P U,   dP/dt = -F.
// Inner index of the launches: direction mu.
#pragma once

#include "core/algebra/random.hpp"
#include "core/field/views.hpp"
#include "core/lattice/lattice_view.hpp"
#include "kernels/site/lane_wise.hpp"
#include "kernels/site/su3_exp.hpp"

namespace plaq {

// Eight independent normal numbers p^a a link, as (seed, trajectory, site, mu) give them.
template <class TargetT, class T>
struct MomentumDraw {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  LatticeShape shape;
  AlgebraView<TargetT, T> momenta;
  std::uint64_t seed;
  std::uint32_t trajectory;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const Real zero = Real(0);
    Su3Algebra<Real> x{{zero, zero}, {{zero, zero}, {zero, zero}, {zero, zero}}};
    for_each_lane(site, [&](int lane, int index) {
      const RandomStream stream{seed, global_site(shape, parity, index), trajectory, Purpose::momentum,
                                static_cast<std::uint32_t>(mu)};
      double p[8];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const auto pair = stream.draw(static_cast<std::uint32_t>(k)).gaussian();
        p[2 * k] = pair.first;
        p[2 * k + 1] = pair.second;
      }
      // p[a - 1] belongs to Gell-Mann's lambda^a.
      const double eighth = p[7] * 0.57735026918962576451;
      set_lane(x.d[0], lane, 0.5 * (p[2] + eighth));
      set_lane(x.d[1], lane, 0.5 * (eighth - p[2]));
      const int real_part[3] = {0, 3, 5}, imaginary_part[3] = {1, 4, 6};
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        set_lane(x.o[k].re, lane, 0.5 * p[imaginary_part[k]]);
        set_lane(x.o[k].im, lane, 0.5 * p[real_part[k]]);
      }
    });
    momenta.store(mu, parity, site, x);
  }
};

// -tr X^2 of each link of a field of the Lie algebra: its sum, or its maximum.
template <class TargetT, class T>
struct AlgebraSquare {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 1;
  static constexpr int maxima = 1;

  AlgebraView<TargetT, T> algebra;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, RealDouble (&value)[1]) const {
    const auto x = algebra.load_mutable(mu, parity, site);
    value[0] = to_double(scalar_product(x, x));
  }
  PLAQ_HD static int place(int) { return 0; }
};

// -tr X Y of each link.
template <class TargetT, class T>
struct AlgebraProduct {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 1;

  AlgebraView<TargetT, T> a, b;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, RealDouble (&value)[1]) const {
    value[0] = to_double(scalar_product(a.load_mutable(mu, parity, site), b.load_mutable(mu, parity, site)));
  }
  PLAQ_HD static int place(int) { return 0; }
};

// Y <- Y + s X
template <class TargetT, class T>
struct AlgebraAdd {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  AlgebraView<TargetT, T> to, from;
  T factor;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    to.store(mu, parity, site,
             fma(Real(factor), from.load_mutable(mu, parity, site), to.load_mutable(mu, parity, site)));
  }
};

// X <- (M - M^dagger)/2 without its trace.
template <class TargetT, class T>
struct AlgebraProjection {
  using Arch = plaq::Arch<TargetT, T>;

  AlgebraView<TargetT, T> algebra;
  GaugeView<TargetT, T> matrices;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    algebra.store(mu, parity, site, traceless_antihermitian(matrices.load(mu, parity, site)));
  }
};

// M <- X, all nine numbers of the matrix.
template <class TargetT, class T>
struct AlgebraMatrix {
  using Arch = plaq::Arch<TargetT, T>;

  GaugeView<TargetT, T> matrices;
  AlgebraView<TargetT, T> algebra;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    matrices.store(mu, parity, site, to_matrix(algebra.load_mutable(mu, parity, site)));
  }
};

// U <- exp(s X) U, without a projection onto SU(3): Gram-Schmidt is not reversible.
template <class TargetT, class T>
struct LinkDrift {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 128;

  GaugeView<TargetT, T> links;
  AlgebraView<TargetT, T> algebra;
  T step;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto x = scale(Real(step), algebra.load_mutable(mu, parity, site));
    links.store(mu, parity, site, exp(x) * links.load_mutable(mu, parity, site));
  }
};

// |U - V|^2 of two links, the sum over matrix elements.
template <class TargetT, class T>
struct LinkDistance {
  using Arch = plaq::Arch<TargetT, T>;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int maxima = 1;

  GaugeView<TargetT, T> links, others;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, RealDouble (&value)[maxima]) const {
    const auto difference = links.load(mu, parity, site) - others.load(mu, parity, site);
    value[0] = to_double(real_trace_times_dagger(difference, difference));
  }
};

}  // namespace plaq

// Staples and loops of improved gauge actions: plaquettes, rectangles of 1 x 2 links and chairs, the loops
// mu nu rho -mu -nu -rho of six links around a cube. Rectangles read a halo of depth 2, the other loops one
// of depth 1, corners included.
#pragma once

#include "kernels/site/loop_weights.hpp"
#include "kernels/site/matrix_sum.hpp"
#include "kernels/site/staple.hpp"

namespace plaq {

// V_mu(x) such that the weighted sum of Re tr over all loops with U_mu(x) is Re tr(U_mu(x) V_mu(x)), for
// links that occur once in each loop: extents of at least 3, or at least 4 with rectangles, along split and
// unsplit directions alike. On smaller lattices it is the derivative with respect to U_mu(x) all the same.
// `rectangles`, `chairs`: false where the action has none of them. A kernel for plaquettes alone needs fewer
// registers.
template <class Target, class T, bool rectangles = true, bool chairs = true>
class LoopStaple {
 public:
  using Real = typename Arch<Target, T>::Real;
  using Gauge = GaugeLattice<Target, T>;
  using Point = typename Gauge::Point;
  using Matrix = Matrix3<Real>;

  PLAQ_HD LoopStaple(const Gauge& gauge, const LoopWeights& weights) : gauge_(gauge), weights_(weights) {}

  // Added in the order nu = 0..3, up before down, then the chairs. Loops stay loops: the code is small and
  // the matrices stay in registers on a device.
  PLAQ_HD Matrix operator()(const Point& x, int mu) const {
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int k = 0; k < 8; ++k) {
      const int nu = k / 2;
      if (nu == mu) continue;
      const bool up = k % 2 == 0;
      if constexpr (rectangles)
        add_six_link_side(x, mu, nu, up, sum);
      else
        add_plaquette_side(x, mu, nu, up, sum);
    }
    if constexpr (chairs)
      if (weights_.chair != 0) add_around_cubes(x, mu, sum);
    return sum;
  }

 private:
  // The link from y in direction nu, or against it.
  PLAQ_HD Matrix along(const Point& y, int nu, bool up) const {
    return up ? gauge_.link(nu, y) : dagger(gauge_.link(nu, step(y, nu, false)));
  }
  PLAQ_HD Point step(const Point& y, int mu, bool forward) const {
    return gauge_.lattice.step(y, mu, forward);
  }
  static PLAQ_HD Matrix scaled(double weight, const Matrix& m) {
    return plaq::scaled(static_cast<T>(weight), m);
  }
  // From x + mu back to x over the side nu of the link: w A B C, A = V(x+mu), B = U_mu(x+nu)^dagger,
  // C = V(x)^dagger, V the step by nu.
  PLAQ_HD void add_plaquette_side(const Point& x, int mu, int nu, bool up, Matrix& sum) const {
    const auto b = times_dagger(along(step(x, mu, true), nu, up), gauge_.link(mu, step(x, nu, up)));
    add_times_dagger(scaled(weights_.plaquette(mu, nu), b), along(x, nu, up), sum);
  }

  // The plaquette and the three rectangles on this side of the link. With A, B, C as above,
  //   [A (w B + w_tall T) + w_wide R B] C + w_wide A B L,
  // T the way over the next side of U_mu(x+nu), R from x + mu ahead to x + mu + nu, L from x + nu behind to
  // x.
  PLAQ_HD void add_six_link_side(const Point& x, int mu, int nu, bool up, Matrix& sum) const {
    const auto ahead = step(x, mu, true), behind = step(x, mu, false), beside = step(x, nu, up);
    const auto corner = step(ahead, nu, up);
    const double tall = weights_.rectangle(nu, mu), wide = weights_.rectangle(mu, nu);
    const auto b = dagger(gauge_.link(mu, beside));
    auto middle = scaled(weights_.plaquette(mu, nu), b);
    if (tall != 0) {
      const auto t = times_dagger(along(corner, nu, up), gauge_.link(mu, step(beside, nu, up)));
      add_times_dagger(scaled(tall, t), along(beside, nu, up), middle);
    }
    const auto a = along(ahead, nu, up);
    auto way = a * middle;
    if (wide == 0) return add_times_dagger(way, along(x, nu, up), sum);
    const auto r = gauge_.link(mu, ahead) * along(step(ahead, mu, true), nu, up);
    add_product(scaled(wide, times_dagger(r, gauge_.link(mu, corner))), b, way);
    add_times_dagger(way, along(x, nu, up), sum);
    const auto l = times_dagger(dagger(gauge_.link(mu, step(behind, nu, up))), along(behind, nu, up));
    add_product(scaled(wide, a * b), l * gauge_.link(mu, behind), sum);
  }

  // Ways nu rho -mu -nu -rho from x + mu to x, for all ordered pairs of signed directions: those with one rho
  // end by the same step.
  PLAQ_HD void add_around_cubes(const Point& x, int mu, Matrix& sum) const {
    const auto ahead = step(x, mu, true);
#pragma unroll 1
    for (int k = 0; k < 8; ++k) {
      const int rho = k / 2;
      if (rho == mu) continue;
      const bool up2 = k % 2 == 0;
      const auto beside = step(x, rho, up2);
      auto ways = zero_matrix<Real>();
#pragma unroll 1
      for (int l = 0; l < 8; ++l) {
        const int nu = l / 2;
        if (nu == mu || nu == rho) continue;
        const bool up = l % 2 == 0;
        const auto out = along(ahead, nu, up) * along(step(ahead, nu, up), rho, up2);
        add_times_dagger(times_dagger(out, gauge_.link(mu, step(beside, nu, up))), along(beside, nu, up),
                         ways);
      }
      add_times_dagger(scaled(weights_.chair, ways), along(x, rho, up2), sum);
    }
  }

  const Gauge& gauge_;
  const LoopWeights& weights_;
};

// Sums of Re tr over the loops that start at a site, in the order of LoopWeights.
template <class TargetT, class T>
struct LoopSum {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  using Point = typename GaugeLattice<TargetT, T>::Point;
  static constexpr int sums = 6;

  GaugeLattice<TargetT, T> gauge;
  bool rectangles, chairs;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int, RealDouble (&sum)[sums]) const {
    const auto x = gauge.lattice.point(parity, site);
    for (int k = 0; k < sums; ++k) sum[k] = RealDouble(0.0);
#pragma unroll 1
    for (int k = 0; k < 16; ++k) {
      const int mu = k / 4, nu = k % 4;
      if (mu == nu) continue;
      const auto beside = step(x, nu);
      const auto corner = gauge.link(mu, x) * gauge.link(nu, step(x, mu));
      if (mu < nu) {
        const auto value =
            to_double(real_trace_times_dagger(corner, gauge.link(nu, x) * gauge.link(mu, beside)));
        add(nu == 3, value, sum[0], sum[1]);
      }
      if (rectangles) {  // two links in direction mu
        const auto ahead = step(x, mu);
        const auto there = (gauge.link(mu, x) * gauge.link(mu, ahead)) * gauge.link(nu, step(ahead, mu));
        const auto back = (gauge.link(nu, x) * gauge.link(mu, beside)) * gauge.link(mu, step(beside, mu));
        const auto value = to_double(real_trace_times_dagger(there, back));
        if (mu == 3) {
          sum[4] += value;
        } else {
          add(nu == 3, value, sum[2], sum[3]);
        }
      }
    }
    if (chairs) sum[5] = around_cubes(x);
  }

 private:
  PLAQ_HD Point step(const Point& y, int mu) const { return gauge.lattice.step(y, mu, true); }
  static PLAQ_HD void add(bool second, const RealDouble& value, RealDouble& first_sum,
                          RealDouble& second_sum) {
    if (second) {
      second_sum += value;
    } else {
      first_sum += value;
    }
  }
  PLAQ_HD Matrix3<Real> along(const Point& y, int nu, bool up) const {
    return up ? gauge.link(nu, y) : dagger(gauge.link(nu, gauge.lattice.step(y, nu, false)));
  }
  // The four chairs of each cube at x: those that start by mu < nu < rho with four choices of two signs.
  PLAQ_HD RealDouble around_cubes(const Point& x) const {
    RealDouble sum = RealDouble(0.0);
#pragma unroll 1
    for (int left_out = 0; left_out < 4; ++left_out) {
      const int mu = left_out == 0 ? 1 : 0, nu = left_out <= 1 ? 2 : 1, rho = left_out <= 2 ? 3 : 2;
#pragma unroll 1
      for (int k = 0; k < 4; ++k) {
        const bool up = k / 2 == 0, up2 = k % 2 == 0;
        const auto ahead = step(x, mu);
        const auto beside = gauge.lattice.step(x, rho, up2);
        const auto out =
            (gauge.link(mu, x) * along(ahead, nu, up)) * along(gauge.lattice.step(ahead, nu, up), rho, up2);
        const auto back =
            (along(x, rho, up2) * along(beside, nu, up)) * gauge.link(mu, gauge.lattice.step(beside, nu, up));
        sum += to_double(real_trace_times_dagger(out, back));
      }
    }
    return sum;
  }
};

}  // namespace plaq

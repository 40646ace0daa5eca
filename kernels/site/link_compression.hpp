// Links in double precision to stored links of 18, 12 or 8 reals, and how far they then are from what they
// were.
#pragma once

#include <cmath>

#include "core/field/views.hpp"
#include "core/operator/active_set.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {

// A unitary rotation of color on the sites of one parity, 1 on the others: a link at a site of that parity is
// multiplied by R from the left, others by R^dagger from the right. `parity` -1: none.
struct ColorRotation {
  Matrix3<double> r;
  int parity = -1;
};

template <class T, class Real>
PLAQ_HD Matrix3<Real> rotation_matrix(const ColorRotation& rotation) {
  Matrix3<Real> r;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      r.e[i][j] = {Real(static_cast<T>(rotation.r.e[i][j].re)), Real(static_cast<T>(rotation.r.e[i][j].im))};
  return r;
}

// tan(phase of z / 4), 0 for z = 0.
template <class Site, class Real>
PLAQ_HD Real quarter_of(const Site& site, const Complex<Real>& z) {
  Real quarter = Real(0);
  for_each_lane(site, [&](int lane, int) {
    set_lane(quarter, lane, std::tan(std::atan2(get_lane(z.im, lane), get_lane(z.re, lane)) / 4));
  });
  return quarter;
}

template <int Reconstruction, class Site, class Real>
PLAQ_HD void compress_link(const Site& site, const Matrix3<Real>& u, Real (&r)[Reconstruction]) {
  if constexpr (Reconstruction == 8) {
    const Complex<Real> kept[3] = {u.e[0][1], u.e[0][2], u.e[1][0]};
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      r[2 * i] = kept[i].re;
      r[2 * i + 1] = kept[i].im;
    }
    r[6] = quarter_of(site, u.e[0][0]);
    r[7] = quarter_of(site, u.e[2][0]);
  } else {
    pack_rows<Reconstruction / 6>(u, r);
  }
}

// Inner index of the launches: direction.
template <class TargetT, class S, int Reconstruction>
struct LinkCompression {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  using RealDouble = Real;
  using Stored = GaugeView<TargetT, S, Reconstruction, double>;
  static constexpr int maxima = 1;

  GaugeView<TargetT, double> links;
  Stored stored;
  ColorRotation rotation;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    Real r[Reconstruction];
    compress_link(site, wanted(site, mu), r);
    stored.store_reals(mu, parity, site, r);
  }
  // Largest component of the difference.
  PLAQ_HD void operator()(const typename Arch::Site& site, int mu, Real (&largest)[maxima]) const {
    const Matrix3<Real> difference = stored.load(mu, parity, site) - wanted(site, mu);
    largest[0] = Real(0.0);
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        largest[0] = larger_magnitude(difference.e[i][j].re, largest[0]);
        largest[0] = larger_magnitude(difference.e[i][j].im, largest[0]);
      }
  }

 private:
  PLAQ_HD Matrix3<Real> wanted(const typename Arch::Site& site, int mu) const {
    const auto u = links.load(mu, parity, site);
    if (rotation.parity < 0) return u;
    const auto r = rotation_matrix<double, Real>(rotation);
    return rotation.parity == parity ? r * u : times_dagger(u, r);
  }
};

// Distance of the time links from 1, as they are stored.
template <class TargetT, class S, int Reconstruction>
struct TimeLinkDeviation {
  static_assert(Reconstruction != 8);
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  using Links = SiteArray<TargetT, T, Reconstruction, S>;
  static constexpr int maxima = 1;
  static constexpr T one = Links::fixed ? T(fixed16_steps) : T(1);

  Links links;  // subfields are mu * 2 + parity
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int, RealDouble (&largest)[maxima]) const {
    Real r[Reconstruction], most = Real(T(0));
    links.load_raw(2 * 3 + parity, site, r);
#pragma unroll
    for (int k = 0; k < Reconstruction; ++k)
      most = larger_magnitude(k % 8 == 0 ? r[k] - Real(one) : r[k], most);
    largest[0] = to_double(most);
  }
};

// out = R in, or R^dagger in, for the color vectors of one parity, `Spins` a site. Inner index: active
// right-hand side.
template <class TargetT, class S, int Spins>
struct RotateColor {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;

  struct Vector {
    ColorVector<Real> s[Spins];
  };
  using Vectors = SpinView<TargetT, T, Spins, S, has_scale<S>>;

  Vectors in, out;
  ColorRotation rotation;
  bool dagger;
  ActiveSet active;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k) const {
    auto psi = in.template load<Vector>(active[k], site);
    const auto r = rotation_matrix<T, Real>(rotation);
#pragma unroll
    for (int s = 0; s < Spins; ++s) psi.s[s] = dagger ? dagger_times(r, psi.s[s]) : r * psi.s[s];
    out.store(active[k], site, psi);
  }
};

}  // namespace plaq

// One level of HYP smearing (kernels/gauge/smearing.hpp), Hasenfratz and Knechtli, Phys. Rev. D 64 (2001)
// 034504, from the inside to the outside. Reads a halo of depth 1, corners included.
#pragma once

#include "kernels/site/matrix_sum.hpp"
#include "kernels/site/staple.hpp"
#include "kernels/site/su3_polar.hpp"

namespace plaq {

// Decorated links are of a direction mu and one nu other than mu: 12 a site, in one field, at mu + 4 k with
// nu = mu + 1 + k modulo 4.
PLAQ_HD int decorated_link(int mu, int nu) { return mu + 4 * ((nu - mu + 3) & 3); }

// V = P((1 - alpha) U_mu + alpha/n sum of n staples), P: su3_polar.hpp, of level
//   1: staples along nu alone, of thin links;
//   2: along the two directions other than mu and nu, of links of level 1, the sides and what they lead to
//      decorated along the direction that is left;
//   3: along all directions but mu, of links of level 2: the sides decorated in any direction but mu, what
//      they lead to in any but theirs.
// Links of level 1 are kept by the direction nu that they are decorated along, those of level 2 by the one
// that they are not. `in_space`: level 2 with nu = t, a field of smeared links, whose U_t are copied. Inner
// index of the launch: decorated_link(mu, nu); mu where the result is a gauge field.
template <class TargetT, class T>
struct HypLevel {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = matrix_block<T>;

  GaugeLattice<TargetT, T> gauge;      // thin links
  GaugeLattice<TargetT, T> decorated;  // of the level below; of level 1 the thin ones
  GaugeView<TargetT, T> out;
  T link_weight, staple_weight;
  int level;
  bool in_space;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int inner) const {
    const int mu = inner & 3;
    const auto link = [&] { return gauge.links.load(mu, parity, site); };
    if (in_space && mu == 3) {
      out.store(inner, parity, site, link());
      return;
    }
    const int nu = in_space ? 3 : (mu + 1 + inner / 4) & 3;
    const auto x = gauge.lattice.point(parity, site);
    const auto ahead = gauge.lattice.step(x, mu, true);
    auto sum = zero_matrix<Real>();
#pragma unroll 1
    for (int along = 0; along < 4; ++along) {
      if (along == mu || (level == 1 && along != nu) || (level == 2 && along == nu)) continue;
      int side = along, middle = mu;
      if (level == 2) {
        const int left = 6 - mu - nu - along;
        side = decorated_link(along, left);
        middle = decorated_link(mu, left);
      } else if (level == 3) {
        side = decorated_link(along, mu);
        middle = decorated_link(mu, along);
      }
      const auto above = gauge.lattice.step(x, along, true);
      add_times_dagger(decorated.link(side, x) * decorated.link(middle, above), decorated.link(side, ahead),
                       sum);
      const auto below = gauge.lattice.step(x, along, false);
      const auto corner = gauge.lattice.step(below, mu, true);
      add_product(dagger_times(decorated.link(side, below), decorated.link(middle, below)),
                  decorated.link(side, corner), sum);
    }
    const auto u = link();
    const Real a = Real(link_weight), b = Real(staple_weight);
    Matrix3<Real> v;
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j) v.e[i][j] = fma(b, sum.e[i][j], scale(a, u.e[i][j]));
    out.store(inner, parity, site, project_polar(v, link));
  }
};

}  // namespace plaq

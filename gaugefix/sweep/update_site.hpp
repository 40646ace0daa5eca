// The sites that an update of gauge fixing changes, and their random numbers.
#pragma once

#include "core/algebra/random.hpp"
#include "kernels/site/lane_wise.hpp"
#include "kernels/site/su2_subgroup.hpp"

namespace plaq {

// Updates draw random numbers for one subgroup of SU(2) at a time, in the precision `Draw`.
template <class Site, class DrawT>
struct UpdateSite {
  using Draw = DrawT;

  const LatticeShape& shape;
  Site site;
  int parity, copy;

  // f(lane, stream) for every site that is meant. Update: its seed is that of copy 0, one more for each
  // further one; Update::number tells updates apart.
  template <int Subgroup, class Update, class F>
  PLAQ_HD void with_random(const Update& update, F&& f) const {
    for_each_lane(site, [&](int lane, int index) {
      f(lane, RandomStream{update.seed + static_cast<std::uint64_t>(copy), global_site(shape, parity, index),
                           update.sweep, Purpose::gauge_update, Update::number, Subgroup});
    });
  }
};

// Back to SU(3) from near it: to second order in what is missing.
template <class Real>
PLAQ_HD void restore_rows(Matrix3<Real>& u) {
  const auto restore = [&](int row) {
    Real norm = Real(0);
#pragma unroll
    for (int c = 0; c < 3; ++c)
      norm = fma(u.e[row][c].im, u.e[row][c].im, fma(u.e[row][c].re, u.e[row][c].re, norm));
    const Real factor = fma(Real(-0.5f), norm, Real(1.5f));
#pragma unroll
    for (int c = 0; c < 3; ++c) u.e[row][c] = scale(factor, u.e[row][c]);
  };
  restore(0);
  const auto overlap =
      -conj_fma(u.e[0][2], u.e[1][2], conj_fma(u.e[0][1], u.e[1][1], conj_times(u.e[0][0], u.e[1][0])));
#pragma unroll
  for (int c = 0; c < 3; ++c) u.e[1][c] = fma(overlap, u.e[0][c], u.e[1][c]);
  restore(1);
  complete_third_row(u);
}

// Multiplies g by an h of each of the three subgroups of SU(2) in turn:
// update.in_subgroup<Subgroup>(functional, g, where).
template <class Update, class Functional, class Real, class Where>
PLAQ_HD void change_in_subgroups(const Update& update, Functional& functional, Matrix3<Real>& g,
                                 const Where& where) {
  functional.template apply<0>(update.template in_subgroup<0>(functional, g, where), g);
  functional.template apply<1>(update.template in_subgroup<1>(functional, g, where), g);
  functional.template apply<2>(update.template in_subgroup<2>(functional, g, where), g);
  restore_rows(g);
}

}  // namespace plaq

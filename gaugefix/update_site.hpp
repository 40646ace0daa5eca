// The sites that an update of gauge fixing changes, and their random numbers.
#pragma once

#include "core/random.hpp"
#include "kernels/site/lane_wise.hpp"

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

}  // namespace plaq

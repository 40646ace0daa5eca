#include "kernels/dirac/hop/hop_candidates.hpp"

namespace plaq {

std::span<const Launch> HopCandidates::of(const Geometry& geometry, Region region, int right_hand_sides) {
  const bool boxes = location_ == Location::device && region == Region::all && geometry.halo_depth() == 0;
  auto& all = known_[{geometry.local(), right_hand_sides, boxes}];
  if (!all.empty()) return all;
  if (location_ == Location::host) {
    add_together(all, geometry, boxes, false, right_hand_sides);
    return all;
  }
  // Below this, threads of several right-hand sides are needed to keep a device busy.
  constexpr std::int64_t sites_for_held = 1 << 16;
  const bool may_hold = held_block_ != 0 && right_hand_sides > 1;
  const bool held_first = geometry.local_volume() >= sites_for_held;
  if (held_first) add_tiles(all, geometry, right_hand_sides);
  if (may_hold && held_first) add_together(all, geometry, boxes, true, right_hand_sides);
  add(all, geometry, boxes, false, 1);
  if (may_hold && !held_first) add_together(all, geometry, boxes, true, right_hand_sides);
  if (!held_first) add_tiles(all, geometry, right_hand_sides);
  return all;
}

void HopCandidates::add_tiles(std::vector<Launch>& all, const Geometry& geometry,
                              int right_hand_sides) const {
  if (right_hand_sides == 1 || geometry.halo_depth() != 0) return;
  for (const BoxRows& rows : tile_candidates(geometry.shape(), tiles_))
    all.push_back({tiles_.threads, right_hand_sides, false, rows, true});
}

// All right-hand sides in one launch, or in two or three: links are then read more than once, but the spinors
// that neighbouring sites share may still be in a cache when they are wanted again.
void HopCandidates::add_together(std::vector<Launch>& all, const Geometry& geometry, bool boxes, bool held,
                                 int right_hand_sides) const {
  constexpr int most_launches = 3, fewest_together = 3;
  for (int launches = 1; launches <= most_launches; ++launches) {
    const int width = (right_hand_sides + launches - 1) / launches;
    if (launches == 1 || width >= fewest_together) add(all, geometry, boxes, held, width);
  }
}

void HopCandidates::add(std::vector<Launch>& all, const Geometry& geometry, bool boxes, bool held,
                        int width) const {
  const int largest = held ? held_block_ : plain_block_;
  const int widths[] = {width};
  const std::size_t first = all.size();
  const auto linear = launch_candidates(location_, largest, widths);
  all.insert(all.end(), linear.begin(), linear.end());
  if (boxes) {
    for (const BoxRows& rows : box_candidates(geometry.shape(), largest)) {
      const int places = geometry.shape().half_x * rows.count();
      all.push_back({(places + 31) / 32 * 32, width, false, rows});
    }
  }
  for (std::size_t i = first; i < all.size(); ++i) all[i].held = held;
}

}  // namespace plaq

#include "kernels/dirac/hop_candidates.hpp"

namespace plaq {

std::span<const Launch> HopCandidates::of(const Geometry& geometry, Region region, int right_hand_sides) {
  const bool boxes = location_ == Location::device && region == Region::all && geometry.halo_depth() == 0;
  const bool many = right_hand_sides > 1 && held_block_ > 0;
  auto& all = known_[{geometry.local(), 2 * int{boxes} + int{many}}];
  if (!all.empty()) return all;
  // Below this, threads of several right-hand sides are needed to keep a device busy.
  constexpr std::int64_t sites_for_held = 1 << 16;
  const bool held_first = many && (location_ == Location::host || geometry.local_volume() >= sites_for_held);
  if (held_first) add(all, geometry, boxes, true);
  add(all, geometry, boxes, false);
  if (many && !held_first) add(all, geometry, boxes, true);
  return all;
}

void HopCandidates::add(std::vector<Launch>& all, const Geometry& geometry, bool boxes, bool held) const {
  const int largest = held ? held_block_ : plain_block_;
  const int width[] = {1};
  const std::size_t first = all.size();
  const auto linear = launch_candidates(location_, largest, width);
  all.insert(all.end(), linear.begin(), linear.end());
  if (boxes) {
    for (const BoxRows& rows : box_candidates(geometry.shape(), largest)) {
      const int places = geometry.shape().half_x * rows.count();
      all.push_back({(places + 31) / 32 * 32, width[0], false, rows});
    }
  }
  for (std::size_t i = first; i < all.size(); ++i) all[i].held = held;
}

}  // namespace plaq

// The launches of a hopping term that a tuner may try.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/geometry.hpp"
#include "core/launch_shape.hpp"

namespace plaq {

// They depend on the lattice; made once for each.
class HopCandidates {
 public:
  // Largest blocks of the kernel that takes right-hand sides one by one, and of the one that holds links
  // while they pass; 0: there is none.
  HopCandidates(Location location, int plain_block, int held_block)
      : location_(location), plain_block_(plain_block), held_block_(held_block) {}
  // The untuned default comes first.
  std::span<const Launch> of(const Geometry& geometry, Region region, int right_hand_sides);

 private:
  void add(std::vector<Launch>& all, const Geometry& geometry, bool boxes, bool held) const;

  Location location_;
  int plain_block_, held_block_;
  std::map<std::pair<Extents, int>, std::vector<Launch>> known_;  // by local extents and kind
};

}  // namespace plaq

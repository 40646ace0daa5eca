// The launches of a hopping term that a tuner may try.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/lattice/site_tiles.hpp"
#include "core/launch/launch_shape.hpp"

namespace plaq {

// Tiles of hopping terms: eight links in registers leave room for 256 threads.
inline constexpr TileSize hop_tiles{256, 896, 4};

// They depend on lattice and batch; made once for each.
class HopCandidates {
 public:
  // Largest blocks of the kernel that takes right-hand sides one by one, and of the one that holds links
  // while they pass; 0: there is none. `tiles`: of the kernel that goes by tiles while they pass, if there is
  // one.
  HopCandidates(Location location, int plain_block, int held_block, const TileSize& tiles = {})
      : location_(location), plain_block_(plain_block), held_block_(held_block), tiles_(tiles) {}
  // The untuned default comes first.
  std::span<const Launch> of(const Geometry& geometry, Region region, int right_hand_sides);

 private:
  void add(std::vector<Launch>& all, const Geometry& geometry, bool boxes, bool held, int width) const;
  void add_tiles(std::vector<Launch>& all, const Geometry& geometry, int right_hand_sides) const;
  void add_together(std::vector<Launch>& all, const Geometry& geometry, bool boxes, bool held,
                    int right_hand_sides) const;

  Location location_;
  int plain_block_, held_block_;
  TileSize tiles_;
  // By local extents, right-hand sides, and whether there are boxes.
  std::map<std::tuple<Extents, int, bool>, std::vector<Launch>> known_;
};

}  // namespace plaq

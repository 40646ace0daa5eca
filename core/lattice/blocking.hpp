// Blocks of sites: every site of a coarse lattice is a box of sites of a fine one, all on the same rank.
#pragma once

#include "core/lattice/geometry.hpp"

namespace plaq {

// A site of the fine lattice, its parity aside: the coarse site that its block is, and its place among the
// block's sites of that parity, which are counted lexicographically, x fastest.
struct BlockSite {
  int parity, index;  // of the coarse site
  int place;
};

// Map between the two lattices, for kernels.
struct BlockMap {
  GeneralShape fine, coarse;
  GeneralShape block;  // its first site counted as even
  Divisor by_block[4] = {};

  PLAQ_HD BlockSite block_site(int fine_parity, int fine_index) const {
    const Coordinates c = fine.coordinates(fine_parity, fine_index);
    Coordinates corner, inside;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) {
      corner.x[mu] = static_cast<int>(by_block[mu].divide(static_cast<std::uint32_t>(c.x[mu])));
      inside.x[mu] = c.x[mu] - corner.x[mu] * block.extent[mu];
    }
    return {coarse.parity(corner), coarse.index(corner), block.index(inside)};
  }
  // Index of the site of `fine_parity` at that place, -1 where there is none: of an odd number of sites a
  // block has one more of one parity than of the other, and places for as many of both.
  PLAQ_HD int fine_index(int fine_parity, const BlockSite& at) const {
    Coordinates c = coarse.coordinates(at.parity, at.index);
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) c.x[mu] *= block.extent[mu];
    const int from_first = fine_parity ^ fine.parity(c);
    if (at.place >= block.parity_sites(from_first)) return -1;
    const Coordinates inside = block.coordinates(from_first, at.place);
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) c.x[mu] += inside.x[mu];
    return fine.index(c);
  }
  PLAQ_HD int places() const { return block.stored_sites(); }  // of each parity in a block
};

class Blocking {
 public:
  // The coarse lattice has a checkerboard where `coarse_order` says so, or without it where its global
  // extents are all even; its ranks and forced directions are the fine one's. Throws Error(job_file) unless
  // `block` divides the local extents; 1 does.
  Blocking(GeometryPtr fine, const Extents& block, LatticeOrder coarse_order);
  Blocking(GeometryPtr fine, const Extents& block);

  const Geometry& fine() const { return *fine_; }
  const Geometry& coarse() const { return *coarse_; }
  const GeometryPtr& coarse_ptr() const { return coarse_; }
  const Extents& block() const { return block_; }
  int block_volume() const { return map_.block.volume; }
  const BlockMap& map() const { return map_; }

 private:
  GeometryPtr fine_, coarse_;
  Extents block_;
  BlockMap map_;
};

}  // namespace plaq

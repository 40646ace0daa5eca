// How many ranks a lattice of multigrid is on.
#pragma once

#include "core/lattice/geometry.hpp"

namespace plaq {

inline constexpr int usual_least_sites = 512;

// The extents of the process grid for a lattice that is on a grid of `ranks`: where a rank has less than
// `least_sites` sites, the direction with most ranks is divided by its smallest prime factor, until each has
// enough or one rank has all. Ties: the direction with fewer sites a rank, then t before z before y before x.
Extents ranks_for_level(const Extents& ranks, const Extents& global, int least_sites = usual_least_sites);

// Where blocks do not divide the sites of a rank: the extents of the largest process grid that `ranks` can
// merge to whose ranks they do divide. Directions that no number of ranks suits stay as they are.
Extents ranks_for_blocks(const Extents& ranks, const Extents& global, const Extents& block);

}  // namespace plaq

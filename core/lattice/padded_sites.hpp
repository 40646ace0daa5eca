// The sites of a rank with those of its neighbours around them, in lexicographic order.
#pragma once

#include <cstddef>

#include "core/lattice/geometry.hpp"

namespace plaq {

/// A box [t][z][y][x] of this rank's sites and `depth` more on both sides of each direction. Coordinates are
/// relative to this rank's first site: -depth <= x_mu < local[mu] + depth.
struct PaddedSites {
  Extents local{};  ///< extents of this rank's part
  int depth = 0;    ///< slices on either side

  /// Extent of the box in direction mu.
  int extent(std::size_t mu) const { return local[mu] + 2 * depth; }
  /// Number of sites of the box.
  std::size_t count() const {
    std::size_t sites = 1;
    for (std::size_t mu = 0; mu < 4; ++mu) sites *= static_cast<std::size_t>(extent(mu));
    return sites;
  }
  /// Place of a site in the order [t][z][y][x].
  std::size_t index(const Extents& x) const {
    std::size_t found = 0;
    for (std::size_t mu = 4; mu-- > 0;)
      found = found * static_cast<std::size_t>(extent(mu)) + static_cast<std::size_t>(x[mu] + depth);
    return found;
  }
};

}  // namespace plaq

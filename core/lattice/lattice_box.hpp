// The box of sites that a rank stores, and where it is in the whole lattice. In which order its sites are
// stored is said by core/lattice/lattice_shape.hpp and core/lattice/general_shape.hpp.
//
// Directions 0..3 are x, y, z, t. An extended lattice carries `halo` extra slices on both sides of each
// direction that is split over ranks; its coordinates count from the lowest halo slice.
#pragma once

#include <cstdint>

#include "core/launch/target.hpp"

namespace plaq {

/// Directed neighbours: 2 mu is forward, 2 mu + 1 backward.
constexpr int directed(int mu, bool forward) { return 2 * mu + (forward ? 0 : 1); }

/// Division by a number known at run time, for numerators below 2^31.
struct Divisor {
  /// The divisor; n / value = (n * multiplier) >> shift.
  std::uint32_t value = 1, multiplier = 1u << 31, shift = 31;

  /// Divides by 1.
  Divisor() = default;
  /// Divides by `d`, at least 1.
  explicit Divisor(std::uint32_t d) : value(d) {
    std::uint32_t s = 0;
    while ((std::uint64_t{1} << s) < d) ++s;
    shift = 31 + s;
    multiplier = static_cast<std::uint32_t>(((std::uint64_t{1} << shift) + d - 1) / d);
  }
  /// The quotient, rounded down.
  PLAQ_HD std::uint32_t divide(std::uint32_t n) const {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * multiplier) >> shift);
  }
};

/// Coordinates x, y, z, t of a site among those that a rank stores.
struct Coordinates {
  int x[4];  ///< x, y, z, t
};

/// The box of sites that a rank stores, and where it is in the whole lattice.
struct LatticeBox {
  int extent[4] = {2, 2, 2, 2};         ///< stored extents, halo included
  int halo[4] = {0, 0, 0, 0};           ///< slices on either side
  int global_extent[4] = {2, 2, 2, 2};  ///< extents of the whole lattice
  int global_offset[4] = {0, 0, 0, 0};  ///< of this rank's first site without halo
  /// Bit directed(mu, forward): this rank's last (first) slice in mu is the last (first) of the whole
  /// lattice.
  std::uint32_t at_global_edge = 0xff;
  /// Bit mu: direction mu is split over ranks (or forced to be treated so).
  std::uint32_t partitioned = 0;

  /// Lexicographic number in the whole lattice (x fastest); halo sites wrap around.
  PLAQ_HD std::int64_t global_index(const Coordinates& c) const {
    std::int64_t g = 0;
#pragma unroll
    for (int mu = 3; mu >= 0; --mu) g = g * global_extent[mu] + global_coordinate(c, mu);
    return g;
  }
  /// Coordinate in direction mu in the whole lattice; halo sites wrap around.
  PLAQ_HD int global_coordinate(const Coordinates& c, int mu) const {
    const int g = c.x[mu] - halo[mu] + global_offset[mu];
    return g < 0 ? g + global_extent[mu] : (g >= global_extent[mu] ? g - global_extent[mu] : g);
  }
  /// True if direction mu is split over ranks, or forced to be treated so.
  PLAQ_HD bool is_partitioned(int mu) const { return (partitioned >> mu) & 1u; }
  /// Slices of the halo on either side of direction mu that a launch takes: one if bit mu of `beyond` is set
  /// and there is a halo, else none.
  PLAQ_HD int slices_beyond(int mu, std::uint32_t beyond) const {
    return halo[mu] > 0 ? static_cast<int>((beyond >> mu) & 1u) : 0;
  }
  /// True if this rank owns the site, or if the site is in slices_beyond() in one or more directions.
  PLAQ_HD bool is_within(const Coordinates& c, std::uint32_t beyond) const {
    bool within = true;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) {
      const int first = halo[mu] - slices_beyond(mu, beyond);
      within = within && c.x[mu] >= first && c.x[mu] < extent[mu] - first;
    }
    return within;
  }
  /// True if some site up to `depth` steps away from an owned site in one direction is not this rank's.
  PLAQ_HD bool at_split_edge(const Coordinates& c, int depth = 1) const {
    bool edge = false;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu)
      edge = edge ||
             (is_partitioned(mu) && (c.x[mu] < halo[mu] + depth || c.x[mu] >= extent[mu] - depth - halo[mu]));
    return edge;
  }
};

}  // namespace plaq

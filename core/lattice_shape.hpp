// The index arithmetic of one rank's lattice, as plain numbers that a kernel can carry.
//
// Directions 0..3 are x, y, z, t, x fastest. Sites are stored by parity ((x+y+z+t) mod 2 of the coordinates
// without halo, which equals that of the global coordinates): the checkerboard index of a site is
//   (x/2) + (X/2) * (y + Y * (z + Z * t)).
// An extended lattice carries `halo` extra slices on both sides of each direction that is split over ranks;
// its coordinates count from the lowest halo slice.
#pragma once

#include <cstdint>

#include "core/target.hpp"

namespace plaq {

// Directed neighbours: 2 mu is forward, 2 mu + 1 backward.
constexpr int directed(int mu, bool forward) { return 2 * mu + (forward ? 0 : 1); }

// Division by a number known at run time, for numerators below 2^31.
struct Divisor {
  std::uint32_t value = 1, multiplier = 1u << 31, shift = 31;

  Divisor() = default;
  explicit Divisor(std::uint32_t d) : value(d) {
    std::uint32_t s = 0;
    while ((std::uint64_t{1} << s) < d) ++s;
    shift = 31 + s;
    multiplier = static_cast<std::uint32_t>(((std::uint64_t{1} << shift) + d - 1) / d);
  }
  PLAQ_HD std::uint32_t divide(std::uint32_t n) const {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * multiplier) >> shift);
  }
};

struct Coordinates {
  int x[4];
};

struct LatticeShape {
  int extent[4] = {2, 2, 2, 2};  // stored extents, halo included; all even
  int halo[4] = {0, 0, 0, 0};    // slices on either side
  int global_extent[4] = {2, 2, 2, 2};
  int global_offset[4] = {0, 0, 0, 0};  // of this rank's first site without halo
  int half_x = 1;                       // extent[0] / 2
  int half_volume = 8;                  // stored sites of one parity
  int halo_parity = 0;                  // (sum of halo) mod 2
  Divisor by_half_x, by_y, by_z;
  // Bit directed(mu, forward): this rank's last (first) slice in mu is the last (first) of the whole lattice.
  std::uint32_t at_global_edge = 0xff;
  // Bit mu: direction mu is split over ranks (or forced to be treated so).
  std::uint32_t partitioned = 0;

  PLAQ_HD Coordinates coordinates(int parity, int index) const {
    Coordinates c;
    const std::uint32_t row = by_half_x.divide(static_cast<std::uint32_t>(index));
    const std::uint32_t plane = by_y.divide(row);
    const std::uint32_t t = by_z.divide(plane);
    c.x[1] = static_cast<int>(row - plane * by_y.value);
    c.x[2] = static_cast<int>(plane - t * by_z.value);
    c.x[3] = static_cast<int>(t);
    c.x[0] = 2 * (index - static_cast<int>(row) * half_x) + row_offset(parity, c);
    return c;
  }
  // x mod 2 of the sites of `parity` in the row of c.
  PLAQ_HD int row_offset(int parity, const Coordinates& c) const {
    return (c.x[1] + c.x[2] + c.x[3] + parity + halo_parity) & 1;
  }
  PLAQ_HD int index(const Coordinates& c) const {
    return (c.x[0] >> 1) + half_x * (c.x[1] + extent[1] * (c.x[2] + extent[2] * c.x[3]));
  }
  PLAQ_HD int parity(const Coordinates& c) const {
    return (c.x[0] + c.x[1] + c.x[2] + c.x[3] + halo_parity) & 1;
  }
  // Lexicographic number in the whole lattice (x fastest); halo sites wrap around.
  PLAQ_HD std::int64_t global_index(const Coordinates& c) const {
    std::int64_t g = 0;
#pragma unroll
    for (int mu = 3; mu >= 0; --mu) g = g * global_extent[mu] + global_coordinate(c, mu);
    return g;
  }
  PLAQ_HD int global_coordinate(const Coordinates& c, int mu) const {
    const int g = c.x[mu] - halo[mu] + global_offset[mu];
    return g < 0 ? g + global_extent[mu] : (g >= global_extent[mu] ? g - global_extent[mu] : g);
  }
  PLAQ_HD bool is_partitioned(int mu) const { return (partitioned >> mu) & 1u; }
  // Of an owned site: whether some site up to `depth` steps away in one direction is not this rank's.
  PLAQ_HD bool at_split_edge(const Coordinates& c, int depth = 1) const {
    bool edge = false;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu)
      edge = edge ||
             (is_partitioned(mu) && (c.x[mu] < halo[mu] + depth || c.x[mu] >= extent[mu] - depth - halo[mu]));
    return edge;
  }

  // Sites of one parity on a face orthogonal to mu, and their numbering by the other three coordinates.
  PLAQ_HD int face_sites(int mu) const { return half_volume / extent[mu]; }
  PLAQ_HD int face_index(int mu, const Coordinates& c) const {
    switch (mu) {
      case 0:
        return (c.x[1] + extent[1] * (c.x[2] + extent[2] * c.x[3])) >> 1;
      case 1:
        return (c.x[0] >> 1) + half_x * (c.x[2] + extent[2] * c.x[3]);
      case 2:
        return (c.x[0] >> 1) + half_x * (c.x[1] + extent[1] * c.x[3]);
      default:
        return (c.x[0] >> 1) + half_x * (c.x[1] + extent[1] * c.x[2]);
    }
  }
  // The site of `parity` with number `face` on the slice x_mu = slice.
  PLAQ_HD Coordinates face_coordinates(int parity, int mu, int slice, int face) const {
    Coordinates c;
    c.x[mu] = slice;
    if (mu == 0) {
      const int pair = 2 * face;  // y of the pair (y, y+1), one of which has the parity
      const std::uint32_t plane = by_y.divide(static_cast<std::uint32_t>(pair));
      const std::uint32_t t = by_z.divide(plane);
      c.x[1] = pair - static_cast<int>(plane * by_y.value);
      c.x[2] = static_cast<int>(plane - t * by_z.value);
      c.x[3] = static_cast<int>(t);
      c.x[1] += (slice + c.x[1] + c.x[2] + c.x[3] + parity + halo_parity) & 1;
      return c;
    }
    const int a = mu == 1 ? 2 : 1, b = mu == 3 ? 2 : 3;  // the two slower directions of the face
    const std::uint32_t row = by_half_x.divide(static_cast<std::uint32_t>(face));
    const std::uint32_t outer = row / static_cast<std::uint32_t>(extent[a]);
    c.x[a] = static_cast<int>(row) - static_cast<int>(outer) * extent[a];
    c.x[b] = static_cast<int>(outer);
    c.x[0] = 2 * (face - static_cast<int>(row) * half_x) + row_offset(parity, c);
    return c;
  }
};

}  // namespace plaq

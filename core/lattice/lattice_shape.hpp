// The index arithmetic of one rank's lattice of even extents, as plain numbers that a kernel can carry.
//
// Directions 0..3 are x, y, z, t, x fastest. Sites are stored by parity ((x+y+z+t) mod 2 of the coordinates
// without halo, which equals that of the global coordinates): the checkerboard index of a site is
//   (x/2) + (X/2) * (y + Y * (z + Z * t)).
// Lattices of any extents: core/lattice/general_shape.hpp.
#pragma once

#include "core/lattice/lattice_box.hpp"

namespace plaq {

/// Indices of the sites of a rank, with even extents and a checkerboard.
struct LatticeShape : LatticeBox {
  int half_x = 1;                 ///< extent[0] / 2
  int half_volume = 8;            ///< stored sites of one parity
  int halo_parity = 0;            ///< (sum of halo) mod 2
  Divisor by_half_x, by_y, by_z;  ///< of half_x, extent[1], extent[2]

  /// Stored sites of a parity.
  PLAQ_HD int parity_sites(int) const { return half_volume; }
  /// Parity of the neighbours of sites of `parity`.
  static PLAQ_HD int neighbor_parity(int parity) { return parity ^ 1; }
  /// Coordinates of a site, from its parity and its checkerboard index.
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
  /// x mod 2 of the sites of `parity` in the row of c.
  PLAQ_HD int row_offset(int parity, const Coordinates& c) const {
    return (c.x[1] + c.x[2] + c.x[3] + parity + halo_parity) & 1;
  }
  /// Checkerboard index of a site.
  PLAQ_HD int index(const Coordinates& c) const {
    return (c.x[0] >> 1) + half_x * (c.x[1] + extent[1] * (c.x[2] + extent[2] * c.x[3]));
  }
  /// Parity of a site, 0 or 1.
  PLAQ_HD int parity(const Coordinates& c) const {
    return (c.x[0] + c.x[1] + c.x[2] + c.x[3] + halo_parity) & 1;
  }

  /// Sites of one parity on a face orthogonal to mu.
  PLAQ_HD int face_sites(int mu) const { return half_volume / extent[mu]; }
  /// Number of a site among those of its parity on a face orthogonal to mu.
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
  /// True if the face has a site with this number.
  /// @param mu  direction that is orthogonal to the face
  /// @param face  number of the site
  PLAQ_HD bool has_face_site(int, int mu, int, int face) const { return face < face_sites(mu); }
  /// The site of `parity` with number `face` on the slice x_mu = slice.
  /// @param parity  0 or 1
  /// @param mu  direction that is orthogonal to the face
  /// @param slice  coordinate x_mu
  /// @param face  number of the site
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

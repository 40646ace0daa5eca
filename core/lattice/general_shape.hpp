// The index arithmetic of one rank's lattice of any extents, odd ones and 1 too: coarse lattices have them.
//
// Sites are counted lexicographically, x fastest. Without a checkerboard this number is the index, and all
// sites are parity 0. With a checkerboard (even global extents; parity is that of the global coordinates)
// sites 2 k and 2 k + 1 are of different parity, whatever the local extents: where a row or plane ends
// without a change of parity, an even number of sites is behind it. So k is the index of both. For even
// extents that is LatticeShape's order. An odd number of sites leaves index k unused in one parity, the last.
// Faces are numbered alike, by their three coordinates.
#pragma once

#include "core/lattice/lattice_box.hpp"

namespace plaq {

/// Indices of the sites of a rank, with any extents.
struct GeneralShape : LatticeBox {
  int volume = 16;            ///< stored sites
  int checkerboard = 1;       ///< 0: all sites are parity 0
  int origin_parity = 0;      ///< of coordinates 0, 0, 0, 0
  Divisor by_extent[3] = {};  ///< x, y, z

  /// Number of parities: 2 with a checkerboard, else 1.
  PLAQ_HD int parities() const { return 1 + checkerboard; }
  /// Parity of the neighbours of sites of `parity`.
  PLAQ_HD int neighbor_parity(int parity) const { return parity ^ checkerboard; }
  /// Places for sites of one parity.
  PLAQ_HD int stored_sites() const { return (volume + checkerboard) >> checkerboard; }
  /// Places that have a site: all but perhaps the last.
  PLAQ_HD int parity_sites(int parity) const {
    return (volume + (checkerboard & ~(parity ^ origin_parity))) >> checkerboard;
  }

  /// Coordinates of a site. The place without a site has some outside of the lattice, beyond its last slice
  /// in t.
  PLAQ_HD Coordinates coordinates(int parity, int index) const {
    Coordinates c;
    const auto n = static_cast<std::uint32_t>(index) << checkerboard;
    const std::uint32_t row = by_extent[0].divide(n);
    const std::uint32_t plane = by_extent[1].divide(row);
    const std::uint32_t t = by_extent[2].divide(plane);
    c.x[0] = static_cast<int>(n - row * by_extent[0].value);
    c.x[1] = static_cast<int>(row - plane * by_extent[1].value);
    c.x[2] = static_cast<int>(plane - t * by_extent[2].value);
    c.x[3] = static_cast<int>(t);
    if (this->parity(c) != parity) advance(c, 4);
    return c;
  }
  /// Index of a site among those of its parity.
  PLAQ_HD int index(const Coordinates& c) const {
    return (c.x[0] + extent[0] * (c.x[1] + extent[1] * (c.x[2] + extent[2] * c.x[3]))) >> checkerboard;
  }
  /// Parity of a site; 0 without a checkerboard.
  PLAQ_HD int parity(const Coordinates& c) const {
    return (c.x[0] + c.x[1] + c.x[2] + c.x[3] + origin_parity) & checkerboard;
  }

  /// Places for sites of one parity on a face orthogonal to mu. One slice may have a site less than another.
  PLAQ_HD int face_sites(int mu) const { return (volume / extent[mu] + checkerboard) >> checkerboard; }
  /// Number of a site among those of its parity on a face orthogonal to mu.
  PLAQ_HD int face_index(int mu, const Coordinates& c) const {
    int n = 0;
#pragma unroll
    for (int nu = 3; nu >= 0; --nu)
      if (nu != mu) n = n * extent[nu] + c.x[nu];
    return n >> checkerboard;
  }
  /// True if the slice x_mu = slice has a site of `parity` with number `face`.
  /// @param parity  0 or 1
  /// @param mu  direction that is orthogonal to the face
  /// @param slice  coordinate x_mu
  /// @param face  number of the site
  PLAQ_HD bool has_face_site(int parity, int mu, int slice, int face) const {
    const int last = mu == 3 ? 2 : 3;
    return face < face_sites(mu) && face_coordinates(parity, mu, slice, face).x[last] < extent[last];
  }
  /// The site of `parity` with number `face` on the slice x_mu = slice.
  /// @param parity  0 or 1
  /// @param mu  direction that is orthogonal to the face
  /// @param slice  coordinate x_mu
  /// @param face  number of the site
  PLAQ_HD Coordinates face_coordinates(int parity, int mu, int slice, int face) const {
    Coordinates c;
    auto rest = static_cast<std::uint32_t>(face) << checkerboard;
#pragma unroll
    for (int nu = 0; nu < 4; ++nu) {
      if (nu == mu) {
        c.x[nu] = slice;
      } else if (nu == (mu == 3 ? 2 : 3)) {  // the last one
        c.x[nu] = static_cast<int>(rest);
      } else {
        const std::uint32_t next = by_extent[nu].divide(rest);
        c.x[nu] = static_cast<int>(rest - next * by_extent[nu].value);
        rest = next;
      }
    }
    if (this->parity(c) != parity) advance(c, mu);
    return c;
  }

 private:
  // To the next site, x_mu as it is (mu = 4: all move).
  PLAQ_HD void advance(Coordinates& c, int mu) const {
    const int last = mu == 3 ? 2 : 3;
    bool carry = true;
#pragma unroll
    for (int nu = 0; nu < 4; ++nu) {
      if (nu == mu) continue;
      c.x[nu] += carry;
      carry = carry && nu != last && c.x[nu] == extent[nu];
      if (carry) c.x[nu] = 0;
    }
  }
};

}  // namespace plaq

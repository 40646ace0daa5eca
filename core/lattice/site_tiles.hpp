// The sites of one parity cut into tiles of whole rows in x, each with its neighbours of the other parity,
// for kernels that stage these where all threads of a block find them: in place of eight neighbours a site
// only 1 + 2/y + 2/z + 2/t have to be fetched. Rows in part have been tried on an H200: a quarter slower,
// since lines of the caches are then fetched in part.
//
// Staged sites are numbered: the tile's own rows, y fastest, then those before and behind it in y, in z and
// in t; in a row by x.
#pragma once

#include <vector>

#include "core/lattice/site_boxes.hpp"

namespace plaq {

// Most places of a tile, as many as a kernel's block has threads, most sites that it may stage, and most of
// these for a thread.
struct TileSize {
  int threads = 0, staged = 0, rounds = 0;
};
// Tiles to try, those first that fetch the fewest sites; none where a row is too long.
std::vector<BoxRows> tile_candidates(const LatticeShape& shape, const TileSize& size);

class SiteTiles {
 public:
  SiteTiles() = default;
  // Tiles of a whole lattice without halo; `rows` of any number up to the lattice's extents.
  SiteTiles(const LatticeShape& shape, const BoxRows& rows);

  // A tile that reaches over the end of the lattice has fewer sites than places, and stages sites twice.
  PLAQ_HD unsigned count() const { return tiles_; }
  PLAQ_HD int places() const { return static_cast<int>(half_x() * own_rows()); }
  PLAQ_HD int staged() const { return places() + 2 * static_cast<int>(half_x()) * face_rows(); }

  // Threads of a block for a tile, whole warps, and whether a kernel takes it.
  int threads() const { return (places() + 31) / 32 * 32; }
  bool fit(const TileSize& size) const {
    return threads() <= size.threads && staged() <= size.staged && staged() <= size.rounds * threads();
  }

  // Checkerboard index of a place, -1 where there is no site.
  PLAQ_HD int site(unsigned tile, unsigned place) const {
    const Corner corner = corner_of(tile);
    const unsigned row = by_half_x_.divide(place), plane = by_y_.divide(row), t = by_z_.divide(plane);
    const unsigned y = corner.y + row - plane * by_y_.value, z = corner.z + plane - t * by_z_.value;
    if (t >= t_ || y >= extent_[0] || z >= extent_[1] || corner.t + t >= extent_[2]) return -1;
    return index(place - row * half_x(), y, z, corner.t + t);
  }
  // Checkerboard index of a staged site, which is of the other parity.
  PLAQ_HD int staged_site(unsigned tile, unsigned staged) const {
    const Corner corner = corner_of(tile);
    unsigned row = by_half_x_.divide(staged);
    const unsigned h = staged - row * half_x();
    unsigned y, z, t;  // of the row, seen from one row before the tile
    if (row < own_rows()) {
      const unsigned plane = by_y_.divide(row), slice = by_z_.divide(plane);
      y = row - plane * by_y_.value + 1, z = plane - slice * by_z_.value + 1, t = slice + 1;
    } else {
      row -= own_rows();
      if (row < 2 * face(0)) {
        y = beside(row, face(0), by_y_.value);
        const unsigned slice = by_z_.divide(row);
        z = row - slice * by_z_.value + 1, t = slice + 1;
      } else if (row < 2 * (face(0) + face(1))) {
        row -= 2 * face(0);
        z = beside(row, face(1), by_z_.value);
        const unsigned slice = by_y_.divide(row);
        y = row - slice * by_y_.value + 1, t = slice + 1;
      } else {
        row -= 2 * (face(0) + face(1));
        t = beside(row, face(2), t_);
        const unsigned plane = by_y_.divide(row);
        y = row - plane * by_y_.value + 1, z = plane + 1;
      }
    }
    return index(h, wrap(corner.y + y, 0), wrap(corner.z + z, 1), wrap(corner.t + t, 2));
  }
  // Number among the staged sites of the neighbour D (directed()) of a place; odd: x mod 2 of the place's
  // site.
  template <int D>
  PLAQ_HD int neighbor(unsigned place, unsigned odd) const {
    constexpr bool ahead = D % 2 == 0;
    const unsigned row = by_half_x_.divide(place), plane = by_y_.divide(row), t = by_z_.divide(plane);
    const unsigned h = place - row * half_x(), y = row - plane * by_y_.value, z = plane - t * by_z_.value;
    unsigned to = row;
    if constexpr (D / 2 == 0) {
      const unsigned last = half_x() - 1;
      const unsigned x = ahead ? (odd == 0    ? h
                                  : h == last ? 0
                                              : h + 1)
                               : (odd != 0 ? h
                                  : h == 0 ? last
                                           : h - 1);
      return static_cast<int>(x + half_x() * row);
    } else if constexpr (D / 2 == 1) {
      if (y == (ahead ? by_y_.value - 1 : 0)) {
        to = own_rows() + (ahead ? face(0) : 0) + z + by_z_.value * t;
      } else {
        to = ahead ? row + 1 : row - 1;
      }
    } else if constexpr (D / 2 == 2) {
      if (z == (ahead ? by_z_.value - 1 : 0)) {
        to = own_rows() + 2 * face(0) + (ahead ? face(1) : 0) + y + by_y_.value * t;
      } else {
        to = ahead ? row + by_y_.value : row - by_y_.value;
      }
    } else {
      if (t == (ahead ? t_ - 1 : 0)) {
        to = own_rows() + 2 * (face(0) + face(1)) + (ahead ? face(2) : 0) + y + by_y_.value * z;
      } else {
        to = ahead ? row + face(2) : row - face(2);
      }
    }
    return static_cast<int>(h + half_x() * to);
  }

 private:
  struct Corner {
    unsigned y, z, t;
  };
  PLAQ_HD Corner corner_of(unsigned tile) const {
    const unsigned plane = by_tiles_y_.divide(tile), slice = by_tiles_z_.divide(plane);
    return {(tile - plane * by_tiles_y_.value) * by_y_.value,
            (plane - slice * by_tiles_z_.value) * by_z_.value, slice * t_};
  }
  PLAQ_HD unsigned half_x() const { return by_half_x_.value; }
  PLAQ_HD unsigned own_rows() const { return by_y_.value * by_z_.value * t_; }
  // Rows beside a tile on one side in y, z, t.
  PLAQ_HD unsigned face(int d) const {
    return d == 0 ? by_z_.value * t_ : d == 1 ? by_y_.value * t_ : by_y_.value * by_z_.value;
  }
  PLAQ_HD int face_rows() const { return static_cast<int>(face(0) + face(1) + face(2)); }
  // 0 or, behind the tile, extent + 1; `row` becomes the number on that side.
  static PLAQ_HD unsigned beside(unsigned& row, unsigned rows, unsigned extent) {
    if (row < rows) return 0;
    row -= rows;
    return extent + 1;
  }
  // A coordinate that counts from one row before the lattice.
  PLAQ_HD unsigned wrap(unsigned from_before, int d) const {
    const unsigned c = from_before == 0 ? extent_[d] - 1 : from_before - 1;
    return c < extent_[d] ? c : c % extent_[d];
  }
  PLAQ_HD int index(unsigned h, unsigned y, unsigned z, unsigned t) const {
    return static_cast<int>(h + half_x() * (y + extent_[0] * (z + extent_[1] * t)));
  }

  Divisor by_half_x_, by_y_, by_z_, by_tiles_y_, by_tiles_z_;  // by_y_, by_z_: rows of a tile
  unsigned t_ = 1, tiles_ = 0;
  unsigned extent_[3] = {0, 0, 0};  // y, z, t
};

}  // namespace plaq

// The sites that a rank owns cut into small blocks of both parities, for launches on a device whose sites
// read what their neighbours read too: a block of threads takes a block of the lattice, and finds most of
// what it reads in the cache of its multiprocessor. Blocks follow each other along columns in time, thin
// enough for the cache of the device to hold what the blocks at work share.
#pragma once

#include "core/lattice/lattice_shape.hpp"

namespace plaq {

class LatticeBlocks {
 public:
  /// Places for sites of each parity in a block: a warp.
  static constexpr int places = 32;

  LatticeBlocks() = default;
  /// Blocks of the sites of a rank, with slices of its halo as `beyond` says (LatticeBox::slices_beyond).
  explicit LatticeBlocks(const LatticeShape& shape, std::uint32_t beyond = 0);

  PLAQ_HD unsigned count() const { return count_; }
  /// Checkerboard index of the site of a parity at a place of a block; -1 where there is none, as in blocks
  /// that reach over an end of the lattice or come after the last.
  PLAQ_HD int site(unsigned block, unsigned place, int parity) const {
    const unsigned x = take(block, in_x_);
    const unsigned y = take(block, in_column_y_), z = take(block, in_column_z_), t = take(block, in_t_);
    const unsigned column_y = take(block, columns_y_);
    const unsigned block_at[4] = {x, column_y * in_column_y_.value + y, block * in_column_z_.value + z, t};
    Coordinates c;
    bool inside = true;
#pragma unroll
    for (int mu = 0; mu < 4; ++mu) {
      const unsigned at = (block_at[mu] << log_[mu]) + (place & ((1u << log_[mu]) - 1));
      place >>= log_[mu];
      inside = inside && at < sites_[mu];
      c.x[mu] = static_cast<int>(at) + first_[mu];
    }
    if (!inside || place != 0) return -1;
    // So far c.x[0] counts pairs of sites, one of which has the parity.
    c.x[0] += c.x[0] - first_[0];
    c.x[0] += (shape_.row_offset(parity, c) + c.x[0]) & 1;
    return shape_.index(c);
  }

 private:
  // The last digit of a number in a mixed base, which is taken off.
  static PLAQ_HD unsigned take(unsigned& number, const Divisor& base) {
    const unsigned rest = base.divide(number), digit = number - rest * base.value;
    number = rest;
    return digit;
  }

  LatticeShape shape_;
  int first_[4] = {0, 0, 0, 0};                                  // coordinates
  unsigned sites_[4] = {0, 0, 0, 0};                             // pairs in x, sites in y, z, t
  unsigned log_[4] = {0, 0, 0, 0};                               // of the places of a block in each direction
  Divisor in_x_, in_column_y_, in_column_z_, in_t_, columns_y_;  // blocks; columns
  unsigned count_ = 0;
};

}  // namespace plaq

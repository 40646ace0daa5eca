// The sites of a rank cut into boxes, for launches on a device: a block of threads takes one box, so that
// sites which share neighbours find them in the cache of one multiprocessor. A box holds whole rows in x,
// since threads that are neighbours should read neighbouring words.
#pragma once

#include "core/lattice/lattice_shape.hpp"

namespace plaq {

// Rows in y, z and t; powers of two. None: no boxes.
struct BoxRows {
  int y = 0, z = 0, t = 0;
  int count() const { return y * z * t; }
  bool operator==(const BoxRows&) const = default;
};

class SiteBoxes {
 public:
  SiteBoxes() = default;
  // Boxes of all sites of one parity of a lattice without halo.
  SiteBoxes(const LatticeShape& shape, const BoxRows& rows);

  // A box that reaches over the end of the lattice has fewer sites than others.
  PLAQ_HD unsigned count() const { return boxes_; }
  // Threads that a box needs: one for each of its places.
  int places() const { return static_cast<int>(by_half_x_.value) << (log_y_ + log_z_ + log_t_); }
  // Checkerboard index of a place, -1 where there is no site.
  PLAQ_HD int site(unsigned box, unsigned place) const {
    const unsigned row = by_half_x_.divide(place), x = place - row * by_half_x_.value;
    const unsigned plane = by_boxes_y_.divide(box), slice = by_boxes_z_.divide(plane);
    const unsigned y = ((box - plane * by_boxes_y_.value) << log_y_) + (row & ((1u << log_y_) - 1));
    const unsigned z =
        ((plane - slice * by_boxes_z_.value) << log_z_) + ((row >> log_y_) & ((1u << log_z_) - 1));
    const unsigned in_t = row >> (log_y_ + log_z_), t = (slice << log_t_) + in_t;
    if (in_t >> log_t_ != 0 || y >= extent_[0] || z >= extent_[1] || t >= extent_[2]) return -1;
    return static_cast<int>(x + by_half_x_.value * (y + extent_[0] * (z + extent_[1] * t)));
  }

 private:
  Divisor by_half_x_, by_boxes_y_, by_boxes_z_;
  unsigned log_y_ = 0, log_z_ = 0, log_t_ = 0;
  unsigned extent_[3] = {0, 0, 0};  // y, z, t
  unsigned boxes_ = 0;
};

}  // namespace plaq

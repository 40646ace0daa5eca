#include "core/lattice/site_boxes.hpp"

#include <bit>

#include "core/system/error.hpp"

namespace plaq {
namespace {

unsigned log_of(int rows) {
  require(rows >= 1 && std::has_single_bit(static_cast<unsigned>(rows)),
          "a box has rows by powers of two in y, z and t");
  return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(rows)));
}

}  // namespace

SiteBoxes::SiteBoxes(const LatticeShape& shape, const BoxRows& rows)
    : by_half_x_(static_cast<std::uint32_t>(shape.half_x)),
      log_y_(log_of(rows.y)),
      log_z_(log_of(rows.z)),
      log_t_(log_of(rows.t)) {
  for (int mu = 0; mu < 4; ++mu) require(shape.halo[mu] == 0, "boxes of a lattice with halo");
  for (int i = 0; i < 3; ++i) extent_[i] = static_cast<unsigned>(shape.extent[i + 1]);
  const auto boxes = [](unsigned extent, unsigned log) { return (extent + (1u << log) - 1) >> log; };
  const unsigned in_y = boxes(extent_[0], log_y_), in_z = boxes(extent_[1], log_z_);
  by_boxes_y_ = Divisor(in_y);
  by_boxes_z_ = Divisor(in_z);
  boxes_ = in_y * in_z * boxes(extent_[2], log_t_);
}

}  // namespace plaq

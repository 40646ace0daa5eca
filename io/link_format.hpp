// How a file stores the links of a site: four matrices (x, y, z, t), row-major, real before imaginary.
#pragma once

#include "core/location.hpp"
#include "io/byte_order.hpp"

namespace plaq {

struct LinkFormat {
  int rows = 3;  // stored rows of a matrix: 3, or the first 2
  Precision precision = Precision::double_precision;
  ByteOrder order = ByteOrder::big;

  int link_reals() const { return 6 * rows; }
  int link_bytes() const { return link_reals() * bytes_of(precision); }
  int site_bytes() const { return 4 * link_bytes(); }

  bool operator==(const LinkFormat&) const = default;
};

}  // namespace plaq

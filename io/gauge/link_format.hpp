// Format of links, or of other SU(3) fields, in a file: matrices row-major, real before imaginary.
#pragma once

#include "core/system/location.hpp"
#include "io/bytes/byte_order.hpp"

namespace plaq {

enum class LinkOrder {
  sites,       // x fastest, then y, z, t; at each site U_mu(x), mu = x, y, z, t
  ddalphaamg,  // sites as above; at each U_mu(x), mu = t, z, y, x
  openqcd,     // odd sites only, z fastest, then y, x, t; at each U_t(x), U_t(x-t), U_x(x), U_x(x-x), y, z
};

struct LinkFormat {
  int rows = 3;  // stored rows of a matrix: 3, or the first 2
  Precision precision = Precision::double_precision;
  ByteOrder order = ByteOrder::big;
  LinkOrder sequence = LinkOrder::sites;
  int matrices = 4;  // of a site: its links, or 1 of a gauge transformation, at LinkOrder::sites

  int reals_per_link() const { return 6 * rows; }
  int link_bytes() const { return reals_per_link() * bytes_of(precision); }
  int site_bytes() const { return matrices * link_bytes(); }  // bytes of the file over sites of the lattice

  bool operator==(const LinkFormat&) const = default;
};

}  // namespace plaq

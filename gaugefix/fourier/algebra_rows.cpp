#include "gaugefix/fourier/algebra_rows.hpp"

#include <limits>

#include "core/system/error.hpp"

namespace plaq {

RowsLayout::RowsLayout(const Geometry& geometry, int copies_, std::uint32_t outer) : copies(copies_) {
  const Extents& local = geometry.local();
  for (int mu = 0; mu < 4; ++mu) extent[mu] = local[static_cast<std::size_t>(mu)];
  row = extent[0];
  std::int64_t next = std::int64_t{4} * copies * row;
  if (next * (geometry.local_volume() / row) > std::numeric_limits<int>::max() / 2)
    throw Error(ErrorKind::job_file, "too many sites and gauge copies on one rank for Fourier acceleration");
  for (const bool slow : {false, true})
    for (int mu = 1; mu < 4; ++mu) {
      if (((outer >> mu) & 1u) != slow) continue;
      stride[mu] = static_cast<int>(next);
      next *= extent[mu];
      if (slow) outer_size *= extent[mu];
    }
  total = static_cast<int>(next);
}

}  // namespace plaq

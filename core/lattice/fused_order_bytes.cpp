#include "core/lattice/fused_order_bytes.hpp"

#include <algorithm>

namespace plaq {
namespace {

// Boxes hold whole rows in x, each of which has a site at either end.
std::size_t boxes_with_ghosts(const LatticeShape& shape, const BoxRows& box) {
  const int rows[3] = {box.y, box.z, box.t};
  std::size_t all = 1, inside = shape.is_partitioned(0) ? 0 : 1;
  for (int mu = 1; mu < 4; ++mu) {
    const int boxes = (shape.extent[mu] + rows[mu - 1] - 1) / rows[mu - 1];
    all *= static_cast<std::size_t>(boxes);
    inside *= static_cast<std::size_t>(shape.is_partitioned(mu) ? std::max(boxes - 2, 0) : boxes);
  }
  return all - inside;
}

// Row by row in x: all of its sites have ghosts, or one that is first or last, or none.
std::size_t runs_with_ghosts(const LatticeShape& shape, int parity, int block) {
  std::size_t count = 0;
  int next = 0;  // the first run that is not counted yet
  for (int first = 0; first < shape.half_volume; first += shape.half_x) {
    Coordinates c = shape.coordinates(parity, first);
    const bool upper = shape.row_offset(parity, c) != 0;
    c.x[0] = shape.extent[0] / 2;  // at no edge, but where all sites are
    const bool whole = shape.at_split_edge(c);
    if (!whole && !shape.is_partitioned(0)) continue;
    const int last = first + shape.half_x - 1;
    const int from = std::max((whole || !upper ? first : last) / block, next),
              to = (whole || upper ? last : first) / block;
    if (from > to) continue;
    count += static_cast<std::size_t>(to - from + 1);
    next = to + 1;
  }
  return count;
}

}  // namespace

std::size_t fused_order_bytes(const LatticeShape& shape, int parity, const FusedShape& fused) {
  const std::size_t groups = fused.box != BoxRows{} ? boxes_with_ghosts(shape, fused.box)
                                                    : runs_with_ghosts(shape, parity, fused.block);
  return groups * sizeof(unsigned);
}

}  // namespace plaq

#include "core/lattice/fused_order.hpp"

#include <algorithm>
#include <vector>

#include "core/system/dry_run.hpp"

namespace plaq {

FusedOrder::FusedOrder(const LatticeShape& shape, int parity, const FusedShape& fused, Location location,
                       int depth) {
  constexpr int warp = 32;
  const bool boxed = fused.box != BoxRows{};
  if (boxed) view_.boxes = SiteBoxes(shape, fused.box);
  const auto block = static_cast<unsigned>(fused.block);
  view_.groups = boxed ? view_.boxes.count() : (static_cast<unsigned>(shape.half_volume) + block - 1) / block;
  if (runs_dry() && depth == 1) {
    const MemoryName name("order of sites while faces travel");
    list_ = Buffer(location, fused_order_bytes(shape, parity, fused));
    return;
  }
  const auto ghost = [&](unsigned group, unsigned thread) {
    const int site = boxed ? view_.boxes.site(group, thread) : static_cast<int>(group * block + thread);
    if (site < 0 || site >= shape.half_volume) return false;
    return shape.at_split_edge(shape.coordinates(parity, site), depth);
  };
  std::vector<unsigned> warps(view_.groups);  // with ghosts
#pragma omp parallel for schedule(static)
  for (unsigned g = 0; g < view_.groups; ++g) {
    for (unsigned first = 0; first < block; first += warp) {
      bool any = false;
      for (unsigned i = first; i < std::min(first + warp, block) && !any; ++i) any = ghost(g, i);
      warps[g] += any ? 1 : 0;
    }
  }
  std::vector<unsigned> again;
  for (unsigned group = 0; group < view_.groups; ++group) {
    view_.waiting += warps[group];
    if (warps[group] != 0) again.push_back(group);
  }
  view_.again = static_cast<unsigned>(again.size());
  if (again.empty()) return;
  const std::size_t bytes = again.size() * sizeof(unsigned);
  list_ = Buffer(location, bytes);
  copy_bytes(list_.data(), location, again.data(), Location::host, bytes);
  view_.list = list_.as<unsigned>();
}

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

#include "core/lattice/fused_order.hpp"

#include <algorithm>
#include <vector>

#include "core/lattice/fused_order_bytes.hpp"
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

}  // namespace plaq

#include "core/host_neighbors.hpp"

#include "core/layout.hpp"

namespace plaq {

HostNeighborTable::HostNeighborTable(const LatticeShape& shape, int width) : width_(static_cast<std::size_t>(width)) {
  const int padded = Layout(Location::host, 1, shape.half_volume, 4).site_stride;
  padded_ = static_cast<std::size_t>(padded);
  group_count_ = padded_ / width_;
  lanes_.assign(2 * 8 * padded_, 0);
  groups_.assign(2 * group_count_ * 8, Group{-1, 0});

  for (int parity = 0; parity < 2; ++parity) {
#pragma omp parallel for schedule(static)
    for (int group = 0; group < static_cast<int>(group_count_); ++group) {
      std::uint32_t edge[8] = {};
      for (int lane = 0; lane < width; ++lane) {
        const int site = group * width + lane;
        if (site >= shape.half_volume) break;
        const Coordinates c = shape.coordinates(parity, site);
        for (int mu = 0; mu < 4; ++mu) {
          for (const bool forward : {true, false}) {
            const int d = directed(mu, forward);
            const int last = forward ? shape.extent[mu] - 1 : 0;
            Coordinates n = c;
            if (c.x[mu] == last) {
              edge[d] |= 1u << lane;
              n.x[mu] = forward ? 0 : shape.extent[mu] - 1;
            } else {
              n.x[mu] += forward ? 1 : -1;
            }
            lanes_[(static_cast<std::size_t>(parity) * 8 + static_cast<std::size_t>(d)) * padded_ +
                   static_cast<std::size_t>(site)] = shape.index(n);
          }
        }
      }
      for (int d = 0; d < 8; ++d) {
        const int* lane = lanes(parity, group * width, d);
        bool run = lane[0] % host_site_block + width <= host_site_block;
        for (int l = 1; l < width; ++l) run = run && lane[l] == lane[0] + l;
        groups_[(static_cast<std::size_t>(parity) * group_count_ + static_cast<std::size_t>(group)) * 8 +
                static_cast<std::size_t>(d)] = {run ? lane[0] : -1, edge[d]};
      }
    }
  }
}

}  // namespace plaq

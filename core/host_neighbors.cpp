#include "core/host_neighbors.hpp"

#include "core/layout.hpp"

namespace plaq {

HostNeighborTable::HostNeighborTable(const LatticeShape& shape, int width)
    : width_(static_cast<std::size_t>(width)) {
  const int padded = Layout(Location::host, 1, shape.half_volume, 4).padded_sites;
  padded_ = static_cast<std::size_t>(padded);
  group_count_ = padded_ / width_;
  lanes_.assign(2 * 8 * padded_, 0);
  groups_.assign(2 * group_count_ * 8, Group{0, 0, 0});
  for (int parity = 0; parity < 2; ++parity) {
#pragma omp parallel for schedule(static)
    for (int group = 0; group < static_cast<int>(group_count_); ++group) find_neighbors(shape, parity, group);
  }
  for (int parity = 0; parity < 2; ++parity)
    for (int group = 0; group < static_cast<int>(group_count_); ++group) find_runs(parity, group);
}

std::size_t HostNeighborTable::about_bytes(const LatticeShape& shape, int width) {
  const auto padded = static_cast<std::size_t>(Layout(Location::host, 1, shape.half_volume, 4).padded_sites);
  const std::size_t groups = padded / static_cast<std::size_t>(width);
  return 2 * 8 * (padded * sizeof(int) + groups * (sizeof(Group) + sizeof(LaneRun)));
}

void HostNeighborTable::find_neighbors(const LatticeShape& shape, int parity, int group) {
  const int width = static_cast<int>(width_);
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
          at(parity, group, d).edge |= static_cast<std::uint16_t>(1u << lane);
          n.x[mu] = forward ? 0 : shape.extent[mu] - 1;
        } else {
          n.x[mu] += forward ? 1 : -1;
        }
        lanes_[(static_cast<std::size_t>(parity) * 8 + static_cast<std::size_t>(d)) * padded_ +
               static_cast<std::size_t>(site)] = shape.index(n);
      }
    }
  }
}

void HostNeighborTable::find_runs(int parity, int group) {
  const int width = static_cast<int>(width_);
  for (int d = 0; d < 8; ++d) {
    LaneRun found[most_lane_runs];
    const int count = split_into_runs(lanes(parity, group * width, d), width, padded_sites(), found);
    Group& g = at(parity, group, d);
    g.first_run = static_cast<int>(runs_.size());
    g.runs = static_cast<std::uint16_t>(count);
    runs_.insert(runs_.end(), found, found + count);
  }
}

}  // namespace plaq

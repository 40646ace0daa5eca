#include "core/lattice/host_neighbors.hpp"

#include "core/field/layout.hpp"
#include "core/system/dry_run.hpp"

namespace plaq {

HostNeighborTable::HostNeighborTable(const GeneralShape& shape, int width, int distance)
    : width_(static_cast<std::size_t>(width)),
      counted_("table of neighbours", counts_host_kernels() ? about_bytes(shape, width) : 0) {
  const int padded = Layout(Location::host, 1, shape.stored_sites(), 4).padded_sites;
  padded_ = static_cast<std::size_t>(padded);
  group_count_ = padded_ / width_;
  if (runs_dry()) return;
  const auto parities = static_cast<std::size_t>(shape.parities());
  lanes_.assign(parities * 8 * padded_, 0);
  groups_.assign(parities * group_count_ * 8, Group{0, 0, 0});
  odd_.assign(parities * group_count_, {});
  for (int parity = 0; parity < shape.parities(); ++parity) {
#pragma omp parallel for schedule(static)
    for (int group = 0; group < static_cast<int>(group_count_); ++group)
      find_neighbors(shape, parity, group, distance);
  }
  for (int parity = 0; parity < shape.parities(); ++parity)
    for (int group = 0; group < static_cast<int>(group_count_); ++group) find_runs(parity, group);
}

std::size_t HostNeighborTable::about_bytes(const GeneralShape& shape, int width) {
  const auto padded =
      static_cast<std::size_t>(Layout(Location::host, 1, shape.stored_sites(), 4).padded_sites);
  const std::size_t groups = padded / static_cast<std::size_t>(width);
  return static_cast<std::size_t>(shape.parities()) *
         (8 * (padded * sizeof(int) + groups * (sizeof(Group) + sizeof(LaneRun))) +
          groups * 4 * sizeof(std::uint16_t));
}

void HostNeighborTable::find_neighbors(const GeneralShape& shape, int parity, int group, int distance) {
  const int width = static_cast<int>(width_);
  auto& odd = odd_[static_cast<std::size_t>(parity) * group_count_ + static_cast<std::size_t>(group)];
  for (int lane = 0; lane < width; ++lane) {
    const int site = group * width + lane;
    if (site >= shape.parity_sites(parity)) break;
    const Coordinates c = shape.coordinates(parity, site);
    const auto bit = static_cast<std::uint16_t>(1u << lane);
    for (int mu = 0, sum = 0; mu < 4; ++mu) {
      if (sum % 2 != 0) odd[static_cast<std::size_t>(mu)] |= bit;
      sum += c.x[mu] - shape.halo[mu] + shape.global_offset[mu];
      for (const bool forward : {true, false}) {
        const int d = directed(mu, forward), extent = shape.extent[mu];
        Coordinates n = c;
        n.x[mu] += forward ? distance : -distance;
        while (n.x[mu] < 0 || n.x[mu] >= extent) {  // twice where distance is 3 and the extent 2
          n.x[mu] += forward ? -extent : extent;
          at(parity, group, d).edge ^= bit;
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

// Neighbour indices of one rank's lattice for the host, in groups of `width` consecutive sites.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/lattice/general_shape.hpp"
#include "core/system/counted_memory.hpp"

namespace plaq {

// Lanes l in `mask` have index base + l. All of base .. base + width - 1 are stored sites.
struct LaneRun {
  int base;
  std::uint32_t mask;
};

// Cuts `width` indices into runs; 0 when there are more than `most_lane_runs` or one would leave 0 .. padded
// - 1.
inline constexpr int most_lane_runs = 4;
inline int split_into_runs(const int* lane, int width, int padded, LaneRun (&runs)[most_lane_runs]) {
  int count = 0;
  for (int l = 0; l < width; ++l) {
    const int base = lane[l] - l;
    int k = 0;
    while (k < count && runs[k].base != base) ++k;
    if (k == count) {
      // Reading a run touches all its lanes, also those that are another run's.
      if (count == most_lane_runs || base < 0 || base + width > padded) return 0;
      runs[count++] = {base, 0};
    }
    runs[k].mask |= 1u << l;
  }
  return count;
}

class HostNeighborTable {
 public:
  // The lanes' neighbours are a few runs of consecutive indices: one in most groups, up to three in x, where
  // every other row is shifted by one and wraps around.
  struct Group {
    int first_run;
    std::uint16_t runs;  // 0: more than is worth it, take the lanes one by one
    std::uint16_t edge;  // bit a lane: the step leaves this rank's stored lattice and wraps, once
  };

  // Neighbours that are `distance` steps away in one direction.
  HostNeighborTable(const GeneralShape& shape, int width, int distance = 1);
  // Memory that a table takes, to a few percent: most groups have one run a direction.
  static std::size_t about_bytes(const GeneralShape& shape, int width);

  const Group& group(int parity, int first_site, int direction) const {
    return groups_[(static_cast<std::size_t>(parity) * group_count_ +
                    static_cast<std::size_t>(first_site) / width_) *
                       8 +
                   static_cast<std::size_t>(direction)];
  }
  const LaneRun* runs(const Group& group) const { return runs_.data() + group.first_run; }
  // Bit a lane: whether the coordinates before mu add up to an odd number.
  std::uint16_t odd_before(int parity, int first_site, int mu) const {
    return odd_[static_cast<std::size_t>(parity) * group_count_ +
                static_cast<std::size_t>(first_site) / width_][static_cast<std::size_t>(mu)];
  }
  int padded_sites() const { return static_cast<int>(padded_); }
  // Neighbours of the sites from `first_site` on, one after the other.
  const int* lanes(int parity, int first_site, int direction) const {
    return lanes_.data() +
           (static_cast<std::size_t>(parity) * 8 + static_cast<std::size_t>(direction)) * padded_ +
           static_cast<std::size_t>(first_site);
  }

 private:
  void find_neighbors(const GeneralShape& shape, int parity, int group, int distance);
  void find_runs(int parity, int group);
  Group& at(int parity, int group, int direction) {
    return groups_[(static_cast<std::size_t>(parity) * group_count_ + static_cast<std::size_t>(group)) * 8 +
                   static_cast<std::size_t>(direction)];
  }

  std::size_t width_, padded_, group_count_;
  CountedMemory counted_;  // in a dry run, instead of what follows
  std::vector<Group> groups_;
  std::vector<std::array<std::uint16_t, 4>> odd_;
  std::vector<LaneRun> runs_;
  std::vector<int> lanes_;
};

}  // namespace plaq

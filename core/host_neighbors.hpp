// Neighbour indices of one rank's lattice for the host, in groups of `width` consecutive sites.
#pragma once

#include <cstdint>
#include <vector>

#include "core/lattice_shape.hpp"

namespace plaq {

class HostNeighborTable {
 public:
  struct Group {
    int base;            // index of the first lane's neighbour where the lanes' neighbours are consecutive within
                         // one storage block, else -1
    std::uint32_t edge;  // bit a lane: the step leaves this rank's stored lattice (and wraps)
  };

  HostNeighborTable(const LatticeShape& shape, int width);

  const Group& group(int parity, int first_site, int direction) const {
    return groups_[(static_cast<std::size_t>(parity) * group_count_ + static_cast<std::size_t>(first_site) / width_) * 8 +
                   static_cast<std::size_t>(direction)];
  }
  // Neighbours of the sites from `first_site` on, one after the other.
  const int* lanes(int parity, int first_site, int direction) const {
    return lanes_.data() + (static_cast<std::size_t>(parity) * 8 + static_cast<std::size_t>(direction)) * padded_ +
           static_cast<std::size_t>(first_site);
  }

 private:
  std::size_t width_, padded_, group_count_;
  std::vector<Group> groups_;
  std::vector<int> lanes_;
};

}  // namespace plaq

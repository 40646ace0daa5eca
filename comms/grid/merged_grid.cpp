#include "comms/grid/merged_grid.hpp"

#include "core/system/error.hpp"

namespace plaq {

std::unique_ptr<ProcessGrid> merged_grid(const ProcessGrid& grid, const Extents& merge) {
  Extents ranks, position;
  bool first = true;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (merge[mu] < 1 || grid.ranks()[mu] % merge[mu] != 0)
      throw Error(ErrorKind::comms, "process grid " + to_string(grid.ranks()) + " cannot merge " +
                                        to_string(merge) + " ranks into one: " + std::to_string(merge[mu]) +
                                        " in " + "xyzt"[mu] + " does not divide " +
                                        std::to_string(grid.ranks()[mu]));
    ranks[mu] = grid.ranks()[mu] / merge[mu];
    position[mu] = grid.position()[mu] / merge[mu];
    first = first && grid.position()[mu] % merge[mu] == 0;
  }
  const auto firsts = grid.comm().part(first, cell_of(position, ranks));
  return first ? std::make_unique<ProcessGrid>(*firsts, ranks) : nullptr;
}

}  // namespace plaq

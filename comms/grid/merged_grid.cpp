#include "comms/grid/merged_grid.hpp"

#include "comms/grid/mpi_check.hpp"
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
  MPI_Comm firsts = MPI_COMM_NULL;
  wait_mpi("MPI_Comm_split", [&] {
    return MPI_Comm_split(grid.comm(), first ? 0 : MPI_UNDEFINED, cell_of(position, ranks), &firsts);
  });
  if (!first) return nullptr;
  auto merged = std::make_unique<ProcessGrid>(firsts, ranks);
  free_comm(firsts);
  return merged;
}

}  // namespace plaq

// Choice of the process grid that a lattice is split over, and the places of the ranks of a node in it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/lattice/geometry.hpp"

namespace plaq {

// Throws Error(job_file) unless the product of `ranks` is `size`.
void check_grid(const Extents& ranks, int size);
// Every grid of `size` ranks over which the lattice splits into even local extents, of at least
// `least_slices` in every direction that is split.
inline constexpr int usual_least_slices = 2;
std::vector<Extents> allowed_grids(int size, const Extents& global, int least_slices = usual_least_slices);
// Throws Error(job_file), naming the grid and one of as many ranks that would do, where a rank has fewer
// slices in a direction that is split; `forced`: bits of directions that count as split.
void check_slices(const Extents& grid, const Extents& global, int least_slices, std::uint32_t forced = 0);

// Cost of a byte between nodes, in bytes within one. Of an H100 or H200, NVLink carries 450 GB/s each way
// and a network card of 400 Gbit/s a GPU 50 GB/s (NVIDIA DGX H100 data sheet); of an A100 300 and 25.
inline constexpr std::int64_t network_weight = 9;

// Sites of faces that the ranks of a node send to one side in each split direction, those between nodes times
// network_weight. `block`: the ranks of a node in x, y, z, t.
std::int64_t exchange_cost(const Extents& grid, const Extents& block, const Extents& global);

// The block of `ranks_per_node` ranks (0: all) with the least exchange_cost that tiles the grid, or of as
// many as the greatest common divisor of that number and all ranks. Ties are long in x before y before z
// before t.
Extents choose_block(const Extents& grid, const Extents& global, int ranks_per_node = 0);
// The grid among the allowed ones whose best block has the least cost; ties split t before z before y before
// x. On one node, and with one rank a node, that is the least surface of a rank. Throws Error(job_file) when
// there is none, naming the nearest rank counts that work. least_slices: as for allowed_grids.
Extents choose_grid(int size, const Extents& global, int ranks_per_node = 0,
                    int least_slices = usual_least_slices);

// Cells of a grid are numbered x fastest.
Extents position_of(int cell, const Extents& grid);
int cell_of(const Extents& position, const Extents& grid);
// The cell of each rank: blocks, x fastest, go to nodes in the order of their lowest ranks, and cells of a
// block, x fastest, to the ranks of the node in order. nodes: of each rank the lowest rank of its node
// (comms/communicator/node_map.hpp). Every node has whole blocks where their size divides its number of
// ranks.
std::vector<int> cells_of_ranks(const Extents& grid, const Extents& block, const std::vector<int>& nodes);

}  // namespace plaq

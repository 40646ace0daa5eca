// Process grids of fewer ranks, for lattices that have become too small for all.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"

namespace plaq {

// Collective over `grid`. In each direction `merge` ranks that follow each other become one: the first of
// them, which is in the new grid at its position / merge. Null on all others. Throws Error(comms) unless
// `merge` divides the ranks of `grid`.
std::unique_ptr<ProcessGrid> merged_grid(const ProcessGrid& grid, const Extents& merge);

}  // namespace plaq

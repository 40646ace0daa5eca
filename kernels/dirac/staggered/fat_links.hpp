// Fat links as operators read them.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq {

struct FatLinks {
  Field links;        // 18 reals, divided by
  double factor = 1;  // this: in half precision their largest component anywhere on the lattice, else 1
};

// Any matrices, at the queue's location and in the gauge that `rotation` says. Collective. Throws
// Error(input_file) on every rank where links in half precision are not numbers.
FatLinks store_fat_links(const ProcessGrid& grid, const Field& fat, Precision precision,
                         const ColorRotation& rotation, const Queue& queue);

}  // namespace plaq

// In which order a launch that also exchanges faces takes its sites: first all that need no face, while faces
// travel, then the others. Groups of sites, one a block, come in the order of memory; warps with ghosts leave
// theirs alone, and groups that have such warps come again at the end.
#pragma once

#include <cstddef>

#include "core/lattice/lattice_shape.hpp"
#include "core/lattice/site_boxes.hpp"
#include "core/system/location.hpp"
#include "core/system/memory.hpp"

namespace plaq {

// Blocks and boxes of a fused launch. No bit of a result depends on them.
struct FusedShape {
  int block = 0;  // threads
  BoxRows box{};  // of sites of a block; none: consecutive ones

  bool operator==(const FusedShape&) const = default;
};

// View of the order, for kernels.
struct FusedView {
  SiteBoxes boxes;
  unsigned groups = 0;
  unsigned again = 0;              // groups that come again
  const unsigned* list = nullptr;  // these
  unsigned waiting = 0;            // warps with ghosts
};

// For all sites of one parity of a lattice without halo; the list is at the location.
class FusedOrder {
 public:
  // `depth`: how many steps away a site may need others.
  FusedOrder(const LatticeShape& shape, int parity, const FusedShape& fused, Location location,
             int depth = 1);
  const FusedView& view() const { return view_; }

 private:
  FusedView view_;
  Buffer list_;
};

// Memory of FusedOrder(shape, parity, fused, location) at its location.
std::size_t fused_order_bytes(const LatticeShape& shape, int parity, const FusedShape& fused);

}  // namespace plaq

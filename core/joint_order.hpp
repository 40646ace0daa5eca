// In which order a launch that also exchanges faces takes its sites: first all that need no face, while faces
// travel, then the others. Groups of sites, one a block, come in the order of memory; warps with ghosts leave
// theirs alone, and groups that have such warps come again at the end.
#pragma once

#include "core/lattice_shape.hpp"
#include "core/location.hpp"
#include "core/memory.hpp"
#include "core/site_boxes.hpp"

namespace plaq {

// How such a launch is cut up. No bit of a result depends on it.
struct JointShape {
  int block = 0;  // threads
  BoxRows box{};  // of sites of a block; none: consecutive ones

  bool operator==(const JointShape&) const = default;
};

// What a kernel needs of it.
struct JointView {
  SiteBoxes boxes;
  unsigned groups = 0;
  unsigned again = 0;              // groups that come again
  const unsigned* list = nullptr;  // these
  unsigned waiting = 0;            // warps with ghosts
};

// For all sites of one parity of a lattice without halo; the list is at the location.
class JointOrder {
 public:
  // `depth`: how many steps away a site may need others.
  JointOrder(const LatticeShape& shape, int parity, const JointShape& joint, Location location,
             int depth = 1);
  const JointView& view() const { return view_; }

 private:
  JointView view_;
  Buffer list_;
};

}  // namespace plaq

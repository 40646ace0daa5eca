// In which order a launch that also exchanges faces takes its sites. Groups of sites, one a block, come in
// the order of memory, but from the middle of the lattice on: so sites at the edges in t come half way
// through, when faces have arrived, and with what their neighbours read still in the cache. Warps with ghosts
// in groups that come earlier than that leave theirs alone, and such groups come again near the end.
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
  unsigned first = 0;              // group that comes first
  unsigned early = 0;              // so many come before faces may be awaited
  unsigned again_from = 0;         // so many come before those that come again
  unsigned again = 0;              // groups that come again
  const unsigned* list = nullptr;  // these
  unsigned waiting = 0;            // warps with ghosts

  struct Visit {
    unsigned group;
    bool with_ghosts, without;  // warps that it is for
  };
  PLAQ_HD unsigned visits() const { return groups + again; }
  PLAQ_HD Visit visit(unsigned place) const {
    if (place >= again_from && place < again_from + again) return {list[place - again_from], true, false};
    const unsigned turn = place < again_from ? place : place - again;
    const unsigned group = turn + first;
    return {group < groups ? group : group - groups, turn >= early, true};
  }
};

// For all sites of one parity of a lattice without halo; the list is at the location.
class JointOrder {
 public:
  // At least so many groups, where there are as many, come before faces may be awaited: they take longer than
  // faces do, about 20 us on an H200.
  static constexpr unsigned travelling = 1280;
  JointOrder(const LatticeShape& shape, int parity, const JointShape& joint, Location location,
             unsigned at_least_before = travelling);
  const JointView& view() const { return view_; }

 private:
  JointView view_;
  Buffer list_;
};

}  // namespace plaq

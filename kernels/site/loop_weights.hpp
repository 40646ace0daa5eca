// The weights of closed loops in a gauge action.
#pragma once

#include "core/launch/target.hpp"

namespace plaq {

// A gauge action S = -(1/3) sum over loops of w Re tr(loop), with a weight w for each kind of loop. Each
// plaquette (6 a site), rectangle (12) and chair (16) counts once. A rectangle in a plane with time has
// its long side in space or in time; a cube with time has the same weight as one in space.
struct LoopWeights {
  double plaquette_space = 0, plaquette_time = 0;
  double rectangle_space = 0;      // both directions in space
  double rectangle_one_time = 0;   // one link in time, two in space
  double rectangle_two_times = 0;  // two links in time, one in space
  double chair = 0;

  PLAQ_HD double plaquette(int mu, int nu) const {
    return mu == 3 || nu == 3 ? plaquette_time : plaquette_space;
  }
  // Two links in direction `two`, one in direction `one`.
  PLAQ_HD double rectangle(int two, int one) const {
    return two == 3 ? rectangle_two_times : one == 3 ? rectangle_one_time : rectangle_space;
  }
  PLAQ_HD bool has_rectangles() const {
    return rectangle_space != 0 || rectangle_one_time != 0 || rectangle_two_times != 0;
  }
};

}  // namespace plaq

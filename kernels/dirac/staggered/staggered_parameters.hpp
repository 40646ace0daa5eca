// Numbers of the staggered operators M = m + D/2, D as in kernels/dirac/staggered/staggered_hop.hpp.
#pragma once

#include <array>

namespace plaq {

struct StaggeredParameters {
  double mass = 0;                           // m, in lattice units: MILC's convention
  std::array<int, 4> boundary{1, 1, 1, -1};  // sign of each direction's boundary condition
  double naik = 0;                           // coefficient of the long links, common to all; usually -1/24
};

}  // namespace plaq

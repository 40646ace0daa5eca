// What an application of a coarse operator writes on the tape of a dry run (core/system/tape.hpp).
#pragma once

#include "multigrid/coarse/coarse_launch.hpp"

namespace plaq {

// Nothing where no dry run is going on.
void tape_coarse_hop(const CoarseHopCall& call);

}  // namespace plaq

// The start of ranks with what was tuned on their machine before.
#pragma once

#include "comms/start/lattice_start.hpp"

namespace plaq {

/// Collective. Chooses GPU, cores and threads, and loads what was tuned before.
/// Throws as choose_launch_site() does.
StartedRanks start_ranks(const Communicator& ranks, const RankSettings& settings);

}  // namespace plaq

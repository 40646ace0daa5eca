// The cores that this process may run on.
#pragma once

#include "comms/placement/core_set.hpp"

namespace plaq {

// True if OMP_PROC_BIND or OMP_PLACES bind the threads of OpenMP.
bool openmp_has_places();
// Cores that the launcher left to this process; empty: unknown.
CoreSet cores_of_process();
// Binds the calling thread, and those that come of it later, to some cores. Whether it could be done.
bool bind_thread(const CoreSet& cores);

}  // namespace plaq

// The job file, the place and the lattice of a running job.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "comms/grid/grid_choice.hpp"
#include "comms/grid/shared_lattice.hpp"
#include "comms/placement/launch_site.hpp"
#include "io/gauge/loaded_gauge.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// The queue has the tuner and profiler of [run].
struct JobContext : SharedLattice {
  const JobFile& job;
  LaunchSite site;
  Extents extents;  // of the lattice
  int ranks_per_node;
};

// How the lattice of a job is shared: the job's process grid, or that of choose_grid, and the directions
// that exchange faces though they are not split (a bit each). Throws Error(job_file) when `extents` are not
// the job's or the grid does not fit. `ranks_per_node`: 0 for all. `least_slices`: what the job's quarks need of
// a rank in every direction that is split (comms/grid/grid_choice.hpp). Serial.
std::uint32_t forced_directions(const Settings& job);
struct Sharing {
  Extents grid{1, 1, 1, 1};
  std::uint32_t forced = 0;
  Extents block{1, 1, 1, 1};  // of ranks on one node (comms/grid/grid_choice.hpp)
};
Sharing share_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node = 0,
                      int least_slices = usual_least_slices);
// The same of another lattice than that of the job, for quarks that need no more than others.
Sharing share_other_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node = 0);

// Collective. Chooses GPU, cores and threads, the process grid (the job's, or that of choose_grid for the
// nodes that there are) and the transport, and says what it chose. `extents`: the lattice, from the job or
// from the file that it reads; they must agree when the job has both.
JobContext start_job(const JobFile& job, const Extents& extents, int least_slices = usual_least_slices);

// Collective. The same without a lattice, for jobs of many: GPU, threads and tuner, all ranks as a
// grid of `shape`; no geometry, no transport.
JobContext start_ranks(const JobFile& job, const Extents& shape, const Extents& block = {1, 1, 1, 1});

// Collective. Runs `work`; what was tuned is added to the tuning file when it is done, or ended by an Error
// that all ranks have: stopped or not_converged. Then the profile is reported, where there is one.
void with_tuning(const JobContext& context, const std::function<void()>& work);

// Collective. A gauge field from a file (io/gauge/loaded_gauge.hpp), read as the keys `antiperiodic` and `accept_checksums` of
// [gauge] say.
LoadedGauge load_gauge(const JobContext& context, const std::string& path);

int run_job_of(const JobFile& job);  // by its type

}  // namespace plaq::jobs

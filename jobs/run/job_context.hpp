// The job file, the place and the lattice of a running job.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "comms/start/lattice_start.hpp"
#include "gaugefix/run/gauge_condition.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// The queue has the tuner and profiler of [run].
struct JobContext : SharedLattice {
  const JobFile& job;
  LaunchSite site;
  Extents extents;  // of the lattice
  int ranks_per_node;
};

// Sharing of the lattice of a job. Throws Error(job_file) if `extents` are not the job's or the grid does not
// fit. Not collective. `ranks_per_node`: 0 for all. `least_slices`: what the job's quarks need
// (comms/start/lattice_start.hpp).
Sharing share_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node = 0,
                      int least_slices = usual_least_slices);
// Sharing of another lattice than that of the job, for quarks that need no more slices than others.
Sharing share_other_lattice(const Settings& job, const Extents& extents, int ranks, int ranks_per_node = 0);

// Collective. Starts the ranks and the lattice of a job, by its tables [comms] and [run]. `extents`: the
// lattice, from the job or from the file that it reads; they must agree if the job has both.
JobContext start_job(const JobFile& job, const Extents& extents, int least_slices = usual_least_slices);

// Collective. Starts ranks for jobs of many lattices: all ranks as a grid of
// `shape`; no geometry, no transport.
JobContext start_without_lattice(const JobFile& job, const Extents& shape);

// Collective. Runs `work`; what was tuned is added to the tuning file when it is done, or ended by an Error
// that all ranks have: stopped or not_converged. Then the profile is reported, where there is one.
void with_tuning(const JobContext& context, const std::function<void()>& work);

// Collective. A gauge field from a file (io/gauge/gauge_file.hpp), read as the keys `antiperiodic` and
// `accept_checksums` of [gauge] say.
LoadedGauge load_gauge(const JobContext& context, const std::string& path);

int run_job_of(const JobFile& job);  // by its type

// Quality of the gauge fixing of a gauge field, for jobs whose results are of one gauge.
struct FixedGauge {
  double theta =
      0;  // as of a gaugefix job: the average over the lattice, in Coulomb gauge of the worst time slice
  double functional = 0;  // of the gauge
};

// Collective. `links`: double precision, without halo. Throws Error(input_file), which names `file` and the
// key max_theta of `table`, where theta is above it.
FixedGauge expect_fixed(const JobContext& context, const Field& links, Gauge gauge, double max_theta,
                        const std::string& table, const std::string& file);

// Attributes of the field: file, checksum, plaquette, link_trace; stated_checksum, where that is another one
// and the links were accepted ([gauge] accept_checksums).
Attributes attributes_of(const LoadedGauge& gauge);
// Attributes of links that were not read, as far as the header has them: file; checksum, empty where there is
// none; plaquette.
Attributes attributes_of(const GaugeFileInfo& header);

}  // namespace plaq::jobs

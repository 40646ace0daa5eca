// Job type measure: its keys, and observables that it makes datasets of.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "observables/gauge/flow.hpp"
#include "observables/gauge/polyakov_correlators.hpp"
#include "observables/gauge/static_loops.hpp"

namespace plaq::jobs {

// The table [measure]; [flow] is a FlowRun.
struct MeasureKeys {
  std::vector<std::string> observables{"plaquette", "link_trace", "polyakov_loop", "unitarity"};

  bool wants(const char* name) const {
    return std::find(observables.begin(), observables.end(), name) != observables.end();
  }
};

/// The schema of measure jobs.
const Schema& measure_schema();

// The flow in results of a measure job:
//
//   /flow/t                    [step]
//   /flow/clover_energy, plaquette_energy, topological_charge   [step]
//   /flow/t0, w0               one number; NaN where the flow does not reach the scale
void add_flow(Results& results, const FlowMeasurement& flow);

// Wilson loops in a measure job: the datasets
//
//   /wilson_loops/r_X_Y_Z      [n][t]  W(n step, t), step X, Y, Z; n and t from 1
// Throws Error(job_file) where the lattice is smaller than the loops that a job asks for.
void expect_loops_fit(const Settings& job, const Extents& extents);
void add_wilson_loops(Results& results, const std::vector<StaticLoops>& loops);

// Correlators of Polyakov lines in a measure job, by length of r:
//
//   /polyakov_correlators/r_squared, separations, average, singlet   [n]
void add_polyakov_correlators(Results& results, const PolyakovCorrelators& correlators);

}  // namespace plaq::jobs

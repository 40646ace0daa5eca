// The Wilson flow in results of a measure job:
//
//   /flow/t                    [step]
//   /flow/clover_energy, plaquette_energy, topological_charge   [step]
//   /flow/t0, w0               one number; NaN where the flow does not reach the scale
#pragma once

#include "jobs/results/results.hpp"
#include "observables/gauge/flow.hpp"

namespace plaq::jobs {

void add_flow(Results& results, const FlowMeasurement& flow);

}  // namespace plaq::jobs

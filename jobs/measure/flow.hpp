// The Wilson flow in a measure job: the table [flow], which is a FlowRun, and the datasets
//
//   /flow/t                    [step]
//   /flow/clover_energy, plaquette_energy, topological_charge   [step]
//   /flow/t0, w0               one number; NaN where the flow does not reach the scale
#pragma once

#include "jobs/results/results.hpp"
#include "jobs/schema/schema.hpp"
#include "observables/gauge/flow.hpp"

namespace plaq::jobs {

Table flow_table();
/// A flow has at least one step to t_max.
Rule flow_rule();
void check_flow(Problems& problems, const FlowRun& flow);
void add_flow(Results& results, const FlowMeasurement& flow);

}  // namespace plaq::jobs

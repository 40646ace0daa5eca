// The Wilson flow in a measure job: the table [flow], and from a gauge field to datasets
//
//   /flow/t                    [step]
//   /flow/clover_energy, plaquette_energy, topological_charge   [step]
//   /flow/t0, w0               one number; NaN where the flow does not reach the scale
#pragma once

#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/run/loaded_gauge.hpp"
#include "jobs/schema/schema.hpp"
#include "kernels/gauge/wilson_flow.hpp"

namespace plaq::jobs {

Table flow_table();
/// A flow has at least one step to t_max.
Rule flow_rule();
void check_flow(Problems& problems, const FlowRun& flow);
// Collective. `gauge` flows: its links are others afterwards.
void add_flow(Results& results, const JobContext& context, Field& gauge);

}  // namespace plaq::jobs

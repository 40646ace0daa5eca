// The table [flow], which is a FlowRun.
#pragma once

#include "kernels/gauge/wilson_flow.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

Table flow_table();
/// A flow has at least one step to t_max.
Rule flow_rule();
void check_flow(Problems& problems, const FlowRun& flow);

}  // namespace plaq::settings

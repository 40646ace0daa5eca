// Tables of observables of gauge fields: [flow], which is a FlowRun, [wilson_loops], [gluon] and [ghost].
#pragma once

#include "kernels/gauge/smearing_parameters.hpp"
#include "observables/gluon/gluon_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

Table flow_table();
/// A flow has at least one step to t_max.
Rule flow_rule();
void check_flow(Problems& problems, const FlowRun& flow);

// The table [wilson_loops], which is a StaticLoopSettings.
Table wilson_loops_table();

// The tables [gluon], which is a GluonSettings, and [ghost], which is a GhostSettings.
Table gluon_table();
Table ghost_table();
/// The ghost propagator is that of Landau gauge.
Rule ghost_rule();
void check_ghost(Problems& problems, const GluonSettings& gluon, const GhostSettings& ghost);

}  // namespace plaq::settings

// The tables [gluon], which is a GluonSettings, and [ghost], which is a GhostSettings.
#pragma once

#include "observables/gluon/gluon_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

Table gluon_table();
Table ghost_table();
/// The ghost propagator is that of Landau gauge.
Rule ghost_rule();
void check_ghost(Problems& problems, const GluonSettings& gluon, const GhostSettings& ghost);

}  // namespace plaq::settings

// The table [wilson_loops], which is a StaticLoopSettings.
#pragma once

#include "settings/schema/settings.hpp"

namespace plaq::settings {

Table wilson_loops_table();

}  // namespace plaq::settings

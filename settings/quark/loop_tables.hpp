// The tables [noise] and [dilution] of quark loops: LoopNoise and NoiseDilution
// (observables/quark/quark_loop_settings.hpp).
#pragma once

#include "observables/quark/quark_loop_settings.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

Table loop_noise_table();
Table loop_dilution_table();

}  // namespace plaq::settings

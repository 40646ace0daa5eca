// The keys of [gluon] beside those of GluonSettings; [ghost] is GhostSettings.
#pragma once

#include "observables/gluon/gluon_settings.hpp"

namespace plaq::jobs {

struct GluonFieldKeys {
  double max_theta = 1e-10;
};

}  // namespace plaq::jobs

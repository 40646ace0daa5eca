// The keys of [gluon] beside those of GluonSettings; [ghost] is GhostSettings.
#pragma once

#include "jobs/schema/use_settings.hpp"
#include "observables/gluon/gluon_settings.hpp"

namespace plaq::jobs {

struct GluonFieldKeys {
  double max_theta = 1e-10;
};

/// The schema of gluon jobs.
const Schema& gluon_schema();

}  // namespace plaq::jobs

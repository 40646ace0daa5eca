// The schema of gluon jobs: [gluon] is a GluonSettings, [ghost] a GhostSettings.
#pragma once

#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

const Schema& gluon_schema();

}  // namespace plaq::jobs

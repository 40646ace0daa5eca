// The channels that a propagator job contracts.
#pragma once

#include <vector>

#include "jobs/correlators/correlators.hpp"
#include "jobs/schema/job_file.hpp"
#include "observables/quark/channels.hpp"

namespace plaq::jobs {

// What [correlators] says, or the pion of the quarks of [action].
std::vector<Channel> channels_of(const Settings& job);
// Plan with all that decides how the correlators are contracted.
CorrelatorPlan plan_of_correlators(const Settings& job, const Extents& extents);

}  // namespace plaq::jobs

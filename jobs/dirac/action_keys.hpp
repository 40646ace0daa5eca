// What the table [action] of a job says.
#pragma once

#include <vector>

#include "jobs/dirac/action_parameters.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// Of a job with one mass; of one with many, in the order of the job. Masses of staggered quarks are MILC's.
ActionParameters action_parameters(const JobFile& job);
std::vector<ActionParameters> actions_of_masses(const JobFile& job);
// Of a job that has Wilson and clover quarks alone.
WilsonParameters wilson_parameters(const JobFile& job);

// For results. `mass` and `kappa`, or `masses` and `kappas`, as the job has them.
Attributes action_attributes(const JobFile& job);
// What the action needs of a rank in every direction that is split (comms/grid/grid_choice.hpp).
int least_slices(const JobFile& job);
// The sources of a propagator: 3 * spin + color, or color.
int columns_of(const ActionParameters& parameters);

}  // namespace plaq::jobs

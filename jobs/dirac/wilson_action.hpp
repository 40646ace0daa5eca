// Wilson and clover quarks.
#pragma once

#include "jobs/dirac/discretisation.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq::jobs {

ActionParameters wilson_action(const WilsonParameters& parameters);
// Of a job that has Wilson and clover quarks alone.
WilsonParameters wilson_parameters(const JobFile& job);
// Of such quarks.
WilsonParameters wilson_parameters(const ActionParameters& action);

}  // namespace plaq::jobs

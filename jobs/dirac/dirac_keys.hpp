// The tables [action] and [solver] of job files: their keys, the rules between them, and what they say.
#pragma once

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/dirac/wilson_parameters.hpp"

namespace plaq::jobs {

Table action_table();
Table solver_table();
std::vector<Rule> dirac_rules();  // on both

WilsonParameters wilson_parameters(const JobFile& job);
// Where the solve runs decides what "auto" means: half inside on a GPU, single on the host, where 16 bits
// save nothing; and no scheme where that is not below the outer precision.
SolverSpec solver_spec(const JobFile& job, Location location);

// For results.
Attributes action_attributes(const JobFile& job);
Attributes solver_attributes(const SolverSpec& spec);

}  // namespace plaq::jobs

// The tables [action] and [solver] of job files: their keys, the rules between them, and what they say.
#pragma once

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/dirac/wilson_parameters.hpp"

namespace plaq::jobs {

// One quark mass, the keys mass or kappa; or many, masses or kappas.
enum class MassKeys { one, list };
Table action_table(MassKeys masses = MassKeys::one);
std::vector<Rule> action_rules(MassKeys masses = MassKeys::one);
Table solver_table();
std::vector<Rule> dirac_rules();  // on both, of one mass

// Of a job with one mass; of one with many, in the order of the job.
WilsonParameters wilson_parameters(const JobFile& job);
std::vector<WilsonParameters> wilson_parameters_of_masses(const JobFile& job);
// Where the solve runs decides what "auto" means: half inside on a GPU, single on the host, where 16 bits
// save nothing; and no scheme where that is not below the outer precision.
SolverSpec solver_spec(const JobFile& job, Location location);
Preconditioning preconditioning_named(const std::string& name);

// For results. `mass` and `kappa`, or `masses` and `kappas`, as the job has them.
Attributes action_attributes(const JobFile& job);
Attributes solver_attributes(const SolverSpec& spec);

}  // namespace plaq::jobs

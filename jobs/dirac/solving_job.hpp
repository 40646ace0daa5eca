// What job types that solve on the fields of an ensemble have in common.
#pragma once

#include "jobs/results/results.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/job_context.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

// Files of the ensemble, of multigrid setups and eigenvectors. Solves that converged are the same with more iterations allowed;
// those whose true residual is small enough for this job count, whichever tolerance was asked for. Serial.
JobFiles files_of_solves(const JobFile& job, const EnsembleInput& input);

// Collective, once the job has started: what may be wrong with its solves is said. Throws as expect_room_for_multigrid().
void prepare_solves(const JobContext& context);

// Whether all true residuals in the results of a part, /solves/true_residual and others of that name, reach a tolerance.
bool has_reached(const Results& part, const SolverSettings& spec);

}  // namespace plaq::jobs

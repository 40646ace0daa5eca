// The results of a solver study as tables for a terminal, like tables 3 to 5 of Clark et al. 2010.
#pragma once

#include <string>

#include "jobs/solver_study/study_spec.hpp"

namespace plaq::jobs {

// For each scheme: iterations (those in which the true residual was recomputed included) at each mass,
// averaged over configurations and sources, then seconds and, in brackets, the speed-up against the baseline.
// A star: some right-hand side did not converge. `results`: those of the ensemble, on rank 0. Lines of at
// most 110 characters.
std::string study_tables(const StudySpec& spec, const Results& results);

}  // namespace plaq::jobs

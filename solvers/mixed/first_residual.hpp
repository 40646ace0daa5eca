// How every solve starts: r = b - A x of the first guess, and who needs no iteration at all.
#pragma once

#include "solvers/krylov/batch.hpp"
#include "solvers/parameters.hpp"

namespace plaq {

// Activates those right-hand sides of the batch that are to be iterated, with reason max_iterations so far;
// the others have their reason. x becomes 0 where b is, or where the guess is to be 0. r of all that were
// asked for, norms in the report. Returns the targets.
std::vector<double> first_residual(Batch& batch, LinearOperator& a, Field& x, const Field& b, Field& r,
                                   const SolverParameters& parameters, SolveReport& report);

}  // namespace plaq

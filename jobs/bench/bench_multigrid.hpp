// Rows of the benchmark of multigrid that need a gauge field.
#pragma once

#include "jobs/bench/bench.hpp"

namespace plaq::jobs {

// Four steps on the even-odd Wilson operator: a polynomial, and minimal residuals.
void add_smoothing_steps(Bench& bench);
// On a weak random gauge field: a Galerkin product, a setup, and one cycle.
void add_multigrid_setup(Bench& bench, int vectors);

}  // namespace plaq::jobs

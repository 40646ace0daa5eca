// Rates of the staggered hopping terms in every storage, each checked against double precision with links of
// 18 reals before it is timed.
#pragma once

#include "jobs/rates/operator_rates.hpp"
#include "kernels/dirac/staggered.hpp"

namespace plaq::jobs {

// Collective over the grid; one rate for each storage, on random vectors. problem.gauge: the links, or fat
// ones where there are `long_links`. Throws Error(internal) where a result is further off than rounding
// explains, and in double precision where D is not anti-Hermitian.
std::vector<OperatorRate> staggered_rates(const RateProblem& problem, const Field* long_links,
                                          const StaggeredParameters& parameters,
                                          const std::vector<LinkStorage>& storages, int rhs);

}  // namespace plaq::jobs

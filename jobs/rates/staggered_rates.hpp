// Rates of the staggered hopping terms in every storage, each checked against double precision with links of
// 18 reals before it is timed.
#pragma once

#include "jobs/rates/operator_rates.hpp"
#include "kernels/dirac/staggered/staggered_schur.hpp"

namespace plaq::jobs {

// Collective over the grid; one rate for each storage, on random vectors. problem.gauge: the links, or fat
// ones where there are `long_links`. Throws Error(internal) where a result is further off than rounding
// explains, and in double precision where D is not anti-Hermitian.
std::vector<OperatorRate> staggered_rates(const RateProblem& problem, const Field* long_links,
                                          const StaggeredParameters& parameters,
                                          const std::vector<LinkStorage>& storages, int rhs);

// The same of the even-odd operator m^2 - D D/4, with m of the parameters.
std::vector<OperatorRate> staggered_schur_rates(const RateProblem& problem, const Field* long_links,
                                                const StaggeredParameters& parameters,
                                                const std::vector<LinkStorage>& storages, int rhs);

// Of the even-odd operator of rated_parity.
StaggeredHoppingPtr make_staggered_hopping(const RateProblem& problem, const Field* long_links,
                                           const StaggeredParameters& parameters, const LinkStorage& storage);

}  // namespace plaq::jobs

// Rates of domain-wall operators in every storage, each checked against double precision with links of 18
// reals before it is timed. Their hopping term is that of hop_rates with as many right-hand sides as there
// are slices.
#pragma once

#include "jobs/rates/operator_rates.hpp"
#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"

namespace plaq::jobs {

DomainWallSchur make_domain_wall_schur(const RateProblem& problem, const DomainWallParameters& parameters,
                                       const LinkStorage& storage, int rhs);

// M5 alone, one parity. Flops as Chiu et al. 2010 have it, a matrix of N_s rows: 24 (2 N_s - 1) a slice of a
// site, though fewer are done; bytes: vectors read and written once. Collective; throw Error(internal) where
// a result is further off than rounding explains, and in double where an adjoint is not one.
std::vector<OperatorRate> fifth_rates(const RateProblem& problem, const DomainWallParameters& parameters,
                                      const std::vector<Precision>& precisions, int rhs);
std::vector<OperatorRate> domain_wall_schur_rates(const RateProblem& problem,
                                                  const DomainWallParameters& parameters,
                                                  const std::vector<LinkStorage>& storages, int rhs);

}  // namespace plaq::jobs

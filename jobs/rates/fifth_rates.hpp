// Rates of what domain-wall operators do in the fifth dimension alone.
#pragma once

#include "jobs/rates/operator_rates.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

namespace plaq::jobs {

// M5, one parity, checked as checked_rates does. Flops as Chiu et al. 2010 have it, a matrix of N_s rows:
// 24 (2 N_s - 1) a slice of a site, though fewer are done; bytes: vectors read and written once.
std::vector<Row> fifth_rates(const RateProblem& problem, const DomainWallParameters& parameters,
                             const std::vector<Precision>& precisions, int rhs);

}  // namespace plaq::jobs

// The contractions of a propagator job in its plan (jobs/propagator/correlators.cpp).
#pragma once

#include "jobs/plan/plan_parts.hpp"
#include "jobs/propagator/correlators.hpp"
#include "jobs/propagator/residual_masses.hpp"

namespace plaq::jobs {

// CorrelatorSet, and what it takes for a moment.
Helds hold_contractions(Plan& plan, const CorrelatorPlan& correlators);
void pass_contractions(Plan& plan, const CorrelatorPlan& correlators);
// The same of ResidualMasses.
Helds hold_masses(Plan& plan, const ResidualMassPlan& masses);
void pass_masses(Plan& plan, const ResidualMassPlan& masses, int columns);

// Of all gauge fields in the results, of one in the journal.
std::uint64_t about_bytes_in_results(const CorrelatorPlan& correlators, int slices, int sources,
                                     std::uint64_t fields);
std::uint64_t about_bytes_in_journal(const CorrelatorPlan& correlators, int slices, int sources);
std::uint64_t about_bytes_in_results(const ResidualMassPlan& masses, int slices, int sources,
                                     std::uint64_t fields);
std::uint64_t about_bytes_in_journal(const ResidualMassPlan& masses, int slices, int sources);

}  // namespace plaq::jobs

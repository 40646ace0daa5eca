// Results of all-mode averaging, [approximation] (settings/solver/approximation_table.hpp). Those of
// approximate solves are in /approximate, those of the first sources that are solved exactly, too, in /exact
// and /solves. The mean that they make together is where jobs without it have their results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "settings/solver/approximation_table.hpp"

namespace plaq::jobs {

inline constexpr const char *approximate_group = "/approximate", *exact_group = "/exact";

// The blocks of exact sources, which the first parts of a field have.
std::vector<PartBlock> exact_blocks(const ApproximationKeys& keys);
// True if a part has no exact solves, whose tolerance would have to be looked at.
bool has_no_exact_solves(const Results& part);
// Solves of a job: each exact one counts as 1, and each approximate one by what it takes.
double solves_of(const ApproximationKeys& keys, double sources);

// Results of a source with the group in front of all paths. True residuals of approximate solves are called
// residuals.
Results in_group(Results results, const std::string& group);
// Adds the residuals and iterations of an approximate solve, of each right-hand side.
// @param axis  their name: "column"
void add_approximate_solves(Results& results, const std::vector<double>& residuals,
                            const std::vector<std::int64_t>& iterations, const std::string& axis);

// The mean of all A plus that of E - A of the exact sources, of blocks [source]... and [exact]....
std::vector<double> corrected_mean(const Dataset& approximate, const Dataset& exact);
// Adds the corrected means of all datasets in both groups to the results of a field, with one source.
void add_corrected_means(Results& field);

}  // namespace plaq::jobs

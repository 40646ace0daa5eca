// Results of a gaugefix job for each gauge copy, and their table. Datasets of one copy:
//
//   /copies/functional, theta, theta_worst_slice, converged, annealing, stochastic, overrelaxation, restarts,
//           omega
//   /history/sweeps, functional, theta, temperature, stage   [point]
//
// theta of a history is the one that is measured: in Coulomb gauge that of the worst slice. Curves shorter
// than `history_points` end with NaN, their stages with -1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gaugefix/run/fixing_settings.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

inline constexpr std::size_t history_points = 256;

void add_outcome(Results& results, const CopyOutcome& outcome);

// A number of the results of one copy or, by [copy], of a field.
double number_in(const Results& results, const std::string& path, std::size_t copy = 0);

// For users: converged copies, sweeps and functional with their errors (Schroeck, Vogt 2013, table 4), and
// the best copy.
std::string table_of_copies(const Results& field, int copies);

}  // namespace plaq::jobs

#include "quarks/multigrid/multigrid_options.hpp"

#include <algorithm>

#include "multigrid/settings.hpp"

namespace plaq {
namespace {

Precision usual_precision(Location location) {
  return location == Location::device ? Precision::half_precision : Precision::single_precision;
}

// Coarse hops take most of a cycle of one right-hand side, and 8 bits of them cost no iterations.
Precision usual_link_storage(Location location) {
  return location == Location::device ? Precision::quarter_precision : Precision::single_precision;
}

}  // namespace

Precision MultigridOptions::precision_at(Location location) const {
  return precision.value_or(usual_precision(location));
}

MultigridOptions MultigridOptions::without_choice() const {
  MultigridOptions fixed = *this;
  fixed.smoothing_steps = smoothing_steps.value_or(LevelSettings().smoothing_steps);
  fixed.coarse_tolerance = coarse_tolerance.value_or(CoarseSolveSettings().tolerance);
  return fixed;
}

std::vector<LevelSettings> MultigridOptions::levels(const Extents& lattice) const {
  std::vector<LevelSettings> levels;
  const std::vector<Extents> chosen = blocks.empty() ? choose_blocks(lattice, vectors.front()) : blocks;
  for (std::size_t level = 0; level < chosen.size(); ++level) {
    LevelSettings one;
    one.block = chosen[level];
    one.vectors = vectors.size() == 1 ? vectors.front() : vectors[level];
    one.smoothing_steps = smoothing_steps.value_or(one.smoothing_steps);
    one.coarse = {coarse_tolerance.value_or(one.coarse.tolerance), coarse_iterations};
    one.chooses_steps = !smoothing_steps;
    one.chooses_tolerance = !coarse_tolerance;
    if (level == 0) one.candidates = candidates;
    if (level < coarse_locations.size()) one.coarse_location = coarse_locations[level];
    levels.push_back(one);
  }
  return levels;
}

MultigridSettings MultigridOptions::settings(const Extents& lattice, Location location, double solves,
                                             double tolerance) const {
  MultigridSettings settings;
  settings.levels = levels(lattice);
  settings.storage = storage.value_or(usual_precision(location));
  settings.link_storage = link_storage.value_or(usual_link_storage(location));
  settings.smoother = smoother;
  settings.omega = omega;
  settings.local_smoother = local_smoother;
  settings.least_sites = least_sites;
  settings.most_dense_rows = dense_rows;
  settings.seed = static_cast<std::uint64_t>(seed);
  settings.filter_iterations = filter_iterations;
  settings.most_rounds = rounds;
  settings.least_rounds = std::min(settings.least_rounds, rounds);
  settings.solves = solves;
  settings.tolerance = tolerance;
  return settings;
}

}  // namespace plaq

// The table [approximation]: all-mode averaging, by approximate solves of all sources and exact ones of a
// few.
#pragma once

#include <string>

#include "quarks/solve/solver_settings.hpp"
#include "settings/schema/schema.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

struct ApproximationKeys {
  int exact = 0;  // sources that are solved to the tolerance, too; 0: no solve is approximate
  Approximation how = {};
  bool is_asked() const { return exact > 0; }
};

/// @param sources  what is averaged: "sources"
Table approximation_table(const std::string& sources);
/// Rule on the keys of the table, [solver] and [multigrid].
Rule approximation_rule();

/// Part of the iterations of a usual exact solve that an approximate one makes, as far as that is known
/// before. It does not depend on the tolerance of exact solves, which may be another one when a job resumes:
/// multigrid setups are chosen by it.
double share_of_exact(const Approximation& how);
/// The limit, for results.
Attributes approximation_attributes(const ApproximationKeys& keys);

}  // namespace plaq::settings

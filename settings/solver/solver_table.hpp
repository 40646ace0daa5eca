// The table [solver], the rules between it and [action], and the solver settings that they stand for.
#pragma once

#include <optional>
#include <string>

#include "quarks/solve/solver_settings.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/schema/attributes.hpp"
#include "settings/schema/settings.hpp"
#include "settings/solver/setup_keys.hpp"

namespace plaq::settings {

/// The key of [solver] that is no member of SolverSettings.
struct DeflationFiles {
  std::string directory;  // of eigenvectors; empty: none
};

Table solver_table();
/// Rules on keys of [solver] alone.
std::vector<Rule> solver_rules();
// Rules on [action], [solver] and [multigrid], of all actions.
std::vector<Rule> dirac_rules(MassKeys masses = MassKeys::one);
// A warning where single precision may not reach the tolerance.
std::optional<std::string> doubt_of_tolerance(const Settings& settings);

// The settings of [solver] and [multigrid] as they are given.
SolverSettings given_solver(const Settings& settings);
// Settings, resolved for the action and a location (quarks/solve/solver_settings.hpp).
SolverSettings solver_settings(const Settings& settings, Location location);
/// Settings as above, with multigrid setups for so many right-hand sides.
SolverSettings solver_settings(const Settings& settings, Location location, double right_hand_sides);

/// Names the files that this solver reads and writes for one gauge field. Serial.
SetupPaths paths_of_solver(const Settings& settings, const std::vector<std::string>& gauge_files,
                           const std::string& gauge_file);

Attributes solver_attributes(const SolverSettings& spec);

}  // namespace plaq::settings

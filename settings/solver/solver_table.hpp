// The tables [solver] and [multigrid], keys of the search for low modes, the rules between it and [action],
// and the solver settings that they stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quarks/multigrid/multigrid_options.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/action/action_table.hpp"
#include "settings/schema/settings.hpp"
#include "settings/solver/field_files.hpp"

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
std::optional<std::string> tolerance_warning(const Settings& settings);

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

// The table [multigrid], which is MultigridOptions.
Table multigrid_table(const std::vector<Key>& more = {});
std::vector<Rule> multigrid_rules();

/// Keys of the search for low modes, EigenvectorSettings and the form of the operator: modes,
/// preconditioning, tolerance, basis, filter_degree, max_applications and seed. `preconditioning` is that of
/// SolverSettings.
std::vector<Key> eigenvector_keys();
/// Their rule in the table `name`.
Rule eigenvector_rule(const std::string& name);

/// True if [solver] preconditioner is "multigrid", whatever other keys the table has.
bool has_multigrid(const Settings& settings);

}  // namespace plaq::settings

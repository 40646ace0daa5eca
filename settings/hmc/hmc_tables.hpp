// Keys of hybrid Monte Carlo, their rules, and the settings of a chain that they stand for.
#pragma once

#include <vector>

#include "dynamics/terms/hmc_action.hpp"
#include "settings/hmc/hmc_keys.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

/// Keys of [hmc]: all are those of TrajectoryKeys but for `terms`.
std::vector<Key> trajectory_keys();
/// Names of terms of the user, TrajectoryKeys::terms: a key that job files do not have.
Key own_terms_key();
/// [rational]
Table rational_table();
/// [solver] of molecular dynamics. It goes with multigrid_table().
Table md_solver_table();

/// Rules of [action], whose masses may be left out, [action_smearing], and the tables above.
std::vector<Rule> hmc_rules();

/// Quarks, twists and time scales of settings with these tables and [action].
TermSettings term_settings(const Settings& settings);
/// All settings of trajectories, with [gauge] and [multigrid] too.
HmcSetup hmc_setup(const Settings& settings);

/// Checks of terms that hmc_rules() has; for settings that are no keys.
/// @param masses_key  the key by which heavier masses were given
void check_terms(Problems& problems, const TermSettings& terms,
                 const KeyName& masses_key = "hmc.heavier_masses");
/// Checks keys of [hmc] that are of staggered quarks alone.
void check_staggered(Problems& problems, const TrajectoryKeys& keys, const TermSettings& terms);
/// Checks [solver].
void check_md_solver(Problems& problems, const MdSolverSettings& solver, const TermSettings& terms);
/// Checks [rational].
void check_rational(Problems& problems, const RationalKeys& rational, const TermSettings& terms);
/// Checks smeared links of quarks.
void check_smearing(Problems& problems, const ActionSmearing& smearing, const TermSettings& terms);
/// Checks that terms are on time scales with steps.
/// @param steps        of [hmc]
/// @param integrators  of [hmc]
void check_time_scales(Problems& problems, const TermSettings& terms, const std::vector<int>& steps,
                       const std::vector<Integrator>& integrators);
/// Masses of a ladder.
std::vector<double> heavier_masses(const TrajectoryKeys& keys);
/// Settings of rational functions.
InverseRootSettings root_settings(const RationalKeys& keys);
/// Steps and integrators of each time scale.
std::vector<TimeScale> time_scales(const TrajectoryKeys& keys);

}  // namespace plaq::settings

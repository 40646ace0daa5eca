// The tables [action] and [action_smearing] of job files: keys and rules of the Dirac matrices that a job
// type can work with.
#pragma once

#include "quarks/action/action.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace plaq::settings {

// One quark mass, the keys mass or kappa; many, masses or kappas; or either.
enum class MassKeys { one, list, any };
Table action_table(MassKeys masses = MassKeys::one, const Discretisations& quarks = wilson_quarks());
/// Keys of that table, without type, that a job of these quarks may have.
/// Collects what expect_own_keys() leaves.
std::vector<Key> keys_of(const Discretisation& quarks, MassKeys masses);
// The first one is about the mass; what else is in
// settings/solver/solver_table.hpp reads a job that keeps them.
std::vector<Rule> action_rules(MassKeys masses = MassKeys::one,
                               const Discretisations& quarks = wilson_quarks());
// The asymmetric Schur complement is of Wilson quarks alone; `table` has the key `preconditioning`.
Rule preconditioning_rule(const std::string& table);

// The table [action_smearing]: Dirac operators on smeared links. Setups of multigrid and eigenvectors, which
// know an operator by its links, have the checksum of the smeared ones.
Table action_smearing_table();
/// Needs the table [action] as well.
Rule action_smearing_rule();

// For results: action_attributes(), and how the links are smeared.
Attributes smeared_action_attributes(const Settings& settings);

}  // namespace plaq::settings

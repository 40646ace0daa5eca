// The table [action] of job files: keys and rules of the Dirac matrices that a job type can work with.
#pragma once

#include "settings/action/discretisation.hpp"

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

}  // namespace plaq::settings

// The table [action] of job files: keys and rules of the Dirac matrices that there are.
#pragma once

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

// One quark mass, the keys mass or kappa; or many, masses or kappas.
enum class MassKeys { one, list };
// What a job type can work with: Wilson and clover, or staggered and domain-wall quarks as well.
enum class Actions { wilson, all };
Table action_table(MassKeys masses = MassKeys::one, Actions actions = Actions::wilson);
// The first one is about the mass; what else is in jobs/dirac/dirac_keys.hpp reads a job that keeps them.
std::vector<Rule> action_rules(MassKeys masses = MassKeys::one, Actions actions = Actions::wilson);
// The asymmetric Schur complement is of Wilson quarks alone; `table` has the key `preconditioning`.
Rule preconditioning_rule(const std::string& table);

}  // namespace plaq::jobs

// What a solve of a propagator job iterates and sends.
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/plan/plan_dirac.hpp"

namespace plaq::jobs {

void plan_iteration(Plan& plan) {
  const ActionParameters parameters = action_parameters(plan.job());
  const int together = columns_at_once(plan.job(), columns_of(parameters), slices_of(parameters));
  DiracPlan(plan, parameters, solver_spec(plan.job(), plan.location()), together).send_messages();
}

}  // namespace plaq::jobs

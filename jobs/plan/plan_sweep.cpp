// What a sweep of a generate job sends.
#include "jobs/plan/plan_parts.hpp"

namespace plaq::jobs {

void plan_sweep(Plan& plan) {
  const GeometryPtr extended = plan.geometry()->extended(1);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  for (int mu = 0; mu < 4; ++mu)
    if (extended->partitioned(mu))  // after each direction and parity, to both sides
      plan.sends({"a sweep", mu, 2 * 4 * 2, ExtendedHalo::plane_bytes(*extended, spec, mu)});
}

}  // namespace plaq::jobs

// Plans of propagator jobs of domain-wall quarks against the jobs themselves.
#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

JobFile::Overrides wall(JobFile::Overrides more) {
  JobFile::Overrides all = {"action.type=domain_wall", "action.kappa=", "action.mass=0.5"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST_F(Planned, MemoryIsThatOfResidualMasses) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string n_s = "action.n_s=4", summed = "correlators.residual_mass=summed",
                    midpoint = "correlators.residual_mass=midpoint", none = "solver.preconditioning=none",
                    few = "solver.columns=2", alone = "solver.fallback=false", job = propagator_job();
  const std::vector<JobFile::Overrides> kinds = {
      {n_s},
      {n_s, summed},
      {n_s, midpoint},
      {n_s, midpoint, force_all, few},
      {n_s, midpoint, none, "solver.mixed=none", alone, few},
      {n_s, midpoint, few, "quark_smearing.steps=2", "quark_smearing.sigma=1", "source.count=2"},
      {"action.n_s=3", "action.variant=optimal", "action.bounds=[0.3, 6.0]", summed, few},
      {"action.n_s=3", "action.omega=[1.5, 1.2, 1.5]", "action.sigma=[0.5, 0.2, 0.5]", "action.xi=2.0",
       summed, few},
  };
  plaq::test::Turns turns(2);
  for (const auto& overrides : kinds) {
    if (!turns.mine()) continue;
    SCOPED_TRACE(testing::PrintToString(overrides));
    expect_as_planned({job, wall(overrides)});
  }
}

TEST_F(Planned, FilesAreThoseOfResidualMasses) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string job = propagator_job();
  for (const std::string kind : {"none", "summed", "midpoint"})
    expect_files({job, wall({"action.n_s=2", "correlators.residual_mass=" + kind})});
}

}  // namespace
}  // namespace plaq::jobs::test

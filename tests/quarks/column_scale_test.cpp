// Sources times powers of two give solutions times these, to the bit, however
// far their squares are out of range.
#include "solvers/column_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/quark/sources.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/solve/shifted_masses.hpp"
#include "tests/quarks/dirac_problem.hpp"

namespace plaq {
namespace {

using Powers = std::vector<int>;

// Column i times 2^powers[i].
Field times_powers(const Field& field, const Powers& powers) {
  Field product(field.geometry_ptr(), field.spec());
  for (int subfield = 0; subfield < field.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; s < field.layout().sites; ++s)
        for (int r = 0; r < field.reals_per_site(); ++r)
          set_real(product, subfield, parity, s, r,
                   std::ldexp(get_real(field, subfield, parity, s, r),
                              powers[static_cast<std::size_t>(subfield / field.Ls())]));
  return product;
}

const std::vector<Powers> extreme_powers = {{-540, 0}, {-900, 700}, {900, -300}};

struct ScaleCase {
  const char* name;
  ActionPtr action;
  SolverSettings spec;
};

std::vector<ScaleCase> scale_cases() {
  WilsonParameters clover;
  clover.mass = 0.1;
  clover.clover = CloverCoefficients::isotropic(1.3);
  StaggeredParameters staggered;
  staggered.mass = 0.3;
  DomainWallChoice wall;
  wall.n_s = 4;
  wall.mass = 0.3;
  SolverSettings cg = test::unmixed(), whole = cg, defect = test::mixed(Precision::half_precision), multigrid;
  whole.method = SolverMethod::bicgstab;
  whole.preconditioning = Preconditioning::none;
  defect.scheme = MixedScheme::defect_correction;
  multigrid = with_multigrid(cg, {});
  return {{"clover_cg", wilson_action(clover), cg},
          {"clover_all_sites", wilson_action(clover), whole},
          {"clover_mixed", wilson_action(clover), test::mixed(Precision::single_precision)},
          {"clover_defect", wilson_action(clover), defect},
          {"clover_multigrid", wilson_action(clover), multigrid},
          {"staggered", staggered_action(staggered), cg},
          {"domain_wall", domain_wall_action(wall), cg}};
}

class ColumnScales : public testing::TestWithParam<std::size_t> {};

TEST_P(ColumnScales, SolutionsAreThoseOfOrdinarySources) {
  const test::DiracProblem problem;
  const ScaleCase one = scale_cases()[GetParam()];
  SystemSolver solver(problem.links(), one.action, one.spec, test::batch);
  const FieldSpec spec = solver.spec_of_fields();
  Field b(problem.geometry, spec), x(problem.geometry, spec);
  random_source(b, Noise::u1, 3);
  const FullSolveReport ordinary = solver.solve(x, b);
  ASSERT_TRUE(ordinary.converged());
  for (const Powers& powers : extreme_powers) {
    SCOPED_TRACE(powers[0]);
    Field y(problem.geometry, spec);
    const FullSolveReport report = solver.solve(y, times_powers(b, powers));
    EXPECT_EQ(report.relative_residuals, ordinary.relative_residuals);
    EXPECT_EQ(test::fingerprint(y, problem.grid), test::fingerprint(times_powers(x, powers), problem.grid));
    // The solution as its own first guess: nothing is left to do.
    EXPECT_EQ(solver.solve(y, times_powers(b, powers)).solve.iterations, 0);
  }
  // A source that is 0 is solved by 0, beside another.
  Field y = times_powers(x, {0, 0});
  const FullSolveReport empty = solver.solve(y, times_powers(b, {-5000, -540}));
  EXPECT_EQ(empty.relative_residuals, (std::vector<double>{0, empty.relative_residuals[1]}));
  EXPECT_LE(empty.relative_residuals[1], one.spec.tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, ColumnScales, testing::Range(std::size_t{0}, scale_cases().size()),
                         [](const auto& info) { return scale_cases()[info.param].name; });

// In single precision outside, whose squares are in double precision, numbers themselves leave the range.
TEST(ColumnScale, SingleOutside) {
  const test::DiracProblem problem;
  SolverSettings spec = test::unmixed();
  spec.method = SolverMethod::bicgstab;
  spec.outer = {Precision::single_precision, 18};
  spec.tolerance = 1e-5;
  auto solver = problem.solver(spec);
  Field x(problem.geometry, solver.spec_of_fields());
  const auto ordinary = solver.solve(x, problem.b);
  ASSERT_TRUE(ordinary.converged());
  for (const Powers& powers : {Powers{-130, 140}, Powers{-60, -1}}) {
    Field y(problem.geometry, solver.spec_of_fields());
    EXPECT_EQ(solver.solve(y, times_powers(problem.b, powers)).relative_residuals,
              ordinary.relative_residuals);
    EXPECT_EQ(test::fingerprint(y, problem.grid), test::fingerprint(times_powers(x, powers), problem.grid));
  }
}

TEST(ColumnScale, ManyMassesTogether) {
  const test::DiracProblem problem;
  std::vector<ActionPtr> actions;
  for (const double mass : {0.5, 0.2, 0.3}) {
    StaggeredParameters parameters;
    parameters.mass = mass;
    actions.push_back(staggered_action(parameters));
  }
  for (const MixedScheme scheme : {MixedScheme::none, MixedScheme::reliable_updates}) {
    SolverSettings spec = test::unmixed();
    spec.scheme = scheme;
    ShiftedMasses shifted(problem.links(), actions, spec, test::batch);
    Field b(problem.geometry, actions.front()->quark_spec(test::batch, test::host));
    random_source(b, Noise::u1, 3);
    const auto solutions = [&](const Field& source) {
      std::vector<Field> x(actions.size());
      for (Field& one : x) one = Field(problem.geometry, b.spec());
      SolveStop stop(problem.grid.comm());
      const auto iterations = shifted.solve(x, source, stop);
      EXPECT_GT(iterations[0][0], 0);
      return x;
    };
    const std::vector<Field> ordinary = solutions(b);
    for (const Powers& powers : extreme_powers) {
      const std::vector<Field> found = solutions(times_powers(b, powers));
      for (std::size_t k = 0; k < actions.size(); ++k)
        EXPECT_EQ(test::fingerprint(found[k], problem.grid),
                  test::fingerprint(times_powers(ordinary[k], powers), problem.grid))
            << k;
    }
  }
}

}  // namespace
}  // namespace plaq

// Operators and setups whose links have changed since: those with copies of their own stay
// as they are, others are refused.
#include "quarks/solve/multi_mass_solver.hpp"

#include "kernels/quark/sources.hpp"
#include "tests/quarks/dirac_problem.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::batch;

// One link of each rank turns: two of its rows change their sign, so that it stays in SU(3).
void turn_a_link(Field& gauge) {
  for (int real = 0; real < 12; ++real) set_real(gauge, 0, 0, 0, real, -get_real(gauge, 0, 0, 0, real));
  gauge.touch();
}

template <class F>
void expect_links_refused(const std::string& derived, const F& use) {
  test::expect_error(ErrorKind::usage, derived + " was made of other links, or of links that changed since",
                     use);
}

TEST(ChangedLinks, SolversAndOperatorsHaveTheirOwn) {
  test::DiracProblem problem(0.1);
  SolverSettings settings = test::mixed(Precision::single_precision);
  SystemSolver solver = problem.solver(settings), untouched = problem.solver(settings);
  DiracOperators operators = problem.operators();
  Field x(problem.geometry, solver.spec_of_fields()), y(problem.geometry, solver.spec_of_fields());
  ASSERT_TRUE(untouched.solve(y, problem.b).converged());
  turn_a_link(problem.gauge);
  ASSERT_TRUE(solver.solve(x, problem.b).converged());
  EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));
  // Operators that are made later have the old links, too.
  Field of_old(problem.geometry, solver.spec_of_fields()),
      of_later(problem.geometry, solver.spec_of_fields());
  untouched.apply(of_old, problem.b);
  operators.residual_operator().apply(of_later, problem.b);
  EXPECT_EQ(test::fingerprint(of_later, problem.grid), test::fingerprint(of_old, problem.grid));
  EXPECT_NO_THROW(operators.outer(high_precision_storage));
  Field of_new(problem.geometry, solver.spec_of_fields());
  problem.solver(settings).apply(of_new, problem.b);
  EXPECT_NE(test::fingerprint(of_new, problem.grid), test::fingerprint(of_old, problem.grid));
}

TEST(ChangedLinks, AMatrixMakesNoMoreOperators) {
  test::DiracProblem problem;
  const auto matrix = problem.action()->on(problem.links());
  EXPECT_NO_THROW(matrix->hopping(high_precision_storage));
  turn_a_link(problem.gauge);
  expect_links_refused("the Dirac operator", [&] { matrix->hopping(high_precision_storage); });
  // With links of its own it does.
  const auto other = problem.action()->on(problem.links());
  other->own_links(*other->hopping(high_precision_storage));
  turn_a_link(problem.gauge);
  EXPECT_NO_THROW(other->hopping({Precision::single_precision, 12}));
}

TEST(ChangedLinks, ACloverTermServesItsOwnLinksAlone) {
  test::DiracProblem problem;
  const auto clover = problem.action()->clover_field(problem.links());
  EXPECT_NO_THROW(problem.action()->on(problem.links(), clover));
  FermionLinks others = problem.links();
  others.gauge = Field(problem.geometry, problem.gauge.spec());
  copy(others.gauge, problem.gauge);
  expect_links_refused("the clover term", [&] { problem.action()->on(others, clover); });
  turn_a_link(problem.gauge);
  expect_links_refused("the clover term", [&] { problem.solver({}, clover); });
  EXPECT_NO_THROW(problem.solver({}, problem.action()->clover_field(problem.links())));
}

TEST(ChangedLinks, ThinLinksOfACloverTermMustStay) {
  test::DiracProblem problem;
  FermionLinks links = problem.links();
  links.clover_links = Field(problem.geometry, problem.gauge.spec());
  copy(links.clover_links, problem.gauge);
  DiracOperators operators(links, problem.action(), Preconditioning::even_odd, batch);
  EXPECT_NO_THROW(operators.outer({Precision::double_precision, 12}));
  turn_a_link(links.clover_links);
  expect_links_refused("the Dirac operator", [&] { operators.outer({Precision::double_precision, 12}); });
}

SolverSettings with_one_coarse_level() {
  MultigridOptions how;
  how.blocks = {Extents{4, 4, 4, 4}};
  how.vectors = {8};
  how.rounds = 1;
  SolverSettings settings = with_multigrid(test::unmixed(), how);
  settings.fallback = false;
  return settings;
}

TEST(ChangedLinks, AMultigridSetupServesItsOwnLinksAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "blocks of this lattice are for one rank";
  test::DiracProblem problem(0.1);
  const SolverSettings settings = with_one_coarse_level();
  const auto at = [&](double mass, MadeMultigrid made) {
    problem.parameters.mass = mass;
    return std::make_unique<SystemSolver>(problem.links(), problem.action(), settings, batch, nullptr,
                                          SetupPaths(), std::move(made));
  };
  const auto first = at(0.1, {});
  ASSERT_NE(first->multigrid(), nullptr);
  const auto second = at(0.2, first->take_multigrid());
  EXPECT_NE(second->multigrid(), nullptr);
  MadeMultigrid made = second->take_multigrid();
  turn_a_link(problem.gauge);
  expect_links_refused("the multigrid setup", [&] { at(0.3, std::move(made)); });
}

TEST(ChangedLinks, MassesThatShareAMultigridSetupNeedTheirLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "blocks of this lattice are for one rank";
  test::DiracProblem problem(0.1);
  std::vector<ActionPtr> actions;
  for (const double mass : {0.1, 0.2}) {
    problem.parameters.mass = mass;
    actions.push_back(problem.action());
  }
  SolverSettings settings = with_one_coarse_level();
  MultiMassSolver solver(problem.links(), actions, settings, batch, {});
  std::vector<Field> quarks(2);
  for (Field& quark : quarks) quark = Field(problem.geometry, solver.quark_spec());
  const auto solve = [&] {
    solver.solve(
        quarks,
        [](Field& b, int first) {
          point_source(b, {0, 0, 0, 0}, first);
        },
        "field", nullptr, [](std::size_t, const PropagatorSolver&) {});
  };
  EXPECT_NO_THROW(solve());
  turn_a_link(problem.gauge);
  expect_links_refused("the solver of many masses", solve);
}

}  // namespace
}  // namespace plaq

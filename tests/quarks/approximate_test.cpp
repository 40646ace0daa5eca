// Approximate solves: so many iterations of the first attempt, or another tolerance, from 0 on.
#include <algorithm>

#include "core/system/error.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "tests/quarks/dirac_problem.hpp"
#include "tests/support/errors.hpp"

namespace plaq::approximate_test {
namespace {

using test::batch, test::mixed, test::unmixed;
using Problem = test::DiracProblem;

SolverSettings with_fallback(SolverSettings spec) {
  spec.fallback = true;
  return spec;
}

SolverSettings by_defect(SolverMethod method) {
  SolverSettings spec = mixed(Precision::single_precision);
  spec.method = method;
  spec.scheme = MixedScheme::defect_correction;
  return spec;
}

SolverSettings with_small_multigrid() {
  MultigridOptions options;
  options.blocks = {{2, 2, 2, 2}};
  options.vectors = {4};
  return with_multigrid(unmixed(), options);
}

Field vector_of(const SystemSolver& solver, const Problem& problem) {
  return {problem.geometry, solver.spec_of_fields()};
}

std::vector<SolverSettings> some_settings() {
  SolverSettings on_all_sites = unmixed();
  on_all_sites.preconditioning = Preconditioning::none;
  SolverSettings on_slices = unmixed();
  on_slices.slice_tolerance = 1e-6;
  return {unmixed(),
          on_all_sites,
          on_slices,
          mixed(Precision::single_precision),
          mixed(Precision::half_precision),
          by_defect(SolverMethod::gcr),
          with_fallback(unmixed()),
          with_fallback(mixed(Precision::half_precision))};
}

TEST(Approximate, MakesTheIterationsThatItIsAskedFor) {
  const Problem problem;
  for (const SolverSettings& spec : some_settings()) {
    SCOPED_TRACE(name_of(spec));
    auto solver = problem.solver(spec);
    Field x = vector_of(solver, problem), y = vector_of(solver, problem), z = vector_of(solver, problem);
    copy(y, problem.b);  // no guess
    double before = 1;
    for (const int iterations : {1, 4, 9}) {
      const FullSolveReport report = solver.approximate(x, problem.b, {.iterations = iterations}),
                            again = solver.approximate(y, problem.b, {.iterations = iterations});
      for (const SolveResult& result : report.solve.results) {
        EXPECT_EQ(result.iterations, iterations);
        EXPECT_EQ(result.reason, StopReason::max_iterations);
      }
      EXPECT_EQ(report.solve.attempts.size(), 1u);
      EXPECT_EQ(report.solve.attempts[0].method, name_of(spec));
      EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));
      EXPECT_EQ(report.relative_residuals, again.relative_residuals);
      const double worst =
          *std::max_element(report.relative_residuals.begin(), report.relative_residuals.end());
      EXPECT_GT(worst, 0);
      EXPECT_LT(worst, before);
      before = worst;
    }
    // An attempt of its own, stopped by its limit, has the same bits.
    SolverSettings alone = spec;
    alone.fallback = false;
    alone.tolerance = 1e-30;
    alone.slice_tolerance.reset();
    auto limited = problem.solver(alone);
    limited.solve(z, problem.b, 9);
    EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(z, problem.grid));
  }
}

TEST(Approximate, ToATolerance) {
  const Problem problem;
  for (const SolverSettings& spec : some_settings()) {
    SCOPED_TRACE(name_of(spec));
    auto solver = problem.solver(spec);
    Field x = vector_of(solver, problem), y = vector_of(solver, problem);
    copy(x, problem.b);
    const FullSolveReport loose = solver.approximate(x, problem.b, {.tolerance = 1e-3});
    EXPECT_TRUE(loose.converged());
    const auto worst = [](const FullSolveReport& report) {
      return *std::max_element(report.relative_residuals.begin(), report.relative_residuals.end());
    };
    EXPECT_LE(worst(loose), 1.001e-3);
    EXPECT_GT(worst(loose), spec.tolerance);
    const FullSolveReport same = solver.approximate(x, problem.b, {.tolerance = spec.tolerance});
    EXPECT_LT(loose.solve.iterations, same.solve.iterations);
    if (spec.slice_tolerance) continue;
    const FullSolveReport exact = solver.solve(y, problem.b);
    EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));
    EXPECT_EQ(exact.relative_residuals, same.relative_residuals);
  }
}

// Each column is a function of its source: in any batch, and whatever was solved before.
TEST(Approximate, ColumnsHaveTheSameBitsTogetherAndAlone) {
  const Problem problem;
  const auto fill = [&](Field& part, int first) {
    for (int i = 0; i < part.subfields(); ++i) copy_subfield(part, i, problem.b, first + i);
  };
  for (const SolverSettings& spec : some_settings()) {
    SCOPED_TRACE(name_of(spec));
    std::vector<std::uint64_t> found;
    for (const int together : {1, batch}) {
      PropagatorSolver solver(problem.links(), problem.action(), spec, together);
      Field x(problem.geometry, solver.quark_spec(batch));
      if (together == 1) solver.solve(x, fill, "field");
      const ColumnReport report = solver.approximate(x, fill, {.iterations = 3}, "field");
      EXPECT_EQ(report.iterations, std::vector<std::int64_t>(batch, 3));
      EXPECT_EQ(report.true_residuals.size(), static_cast<std::size_t>(batch));
      found.push_back(test::fingerprint(x, problem.grid));
    }
    EXPECT_EQ(found[0], found[1]);
  }
}

TEST(Approximate, WithMultigrid) {
  const Problem problem;
  auto solver = problem.solver(with_small_multigrid());
  Field x = vector_of(solver, problem), y = vector_of(solver, problem);
  copy(y, problem.b);
  const FullSolveReport report = solver.approximate(x, problem.b, {.iterations = 3});
  for (const double residual : report.relative_residuals) {
    EXPECT_GT(residual, 1e-8);
    EXPECT_LT(residual, 1e-2);
  }
  EXPECT_EQ(report.solve.iterations, 3);
  solver.approximate(y, problem.b, {.tolerance = 1e-9});
  EXPECT_NE(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));
  solver.approximate(y, problem.b, {.iterations = 3});
  EXPECT_EQ(test::fingerprint(x, problem.grid), test::fingerprint(y, problem.grid));
}

TEST(Approximate, SaysWhatIsWrong) {
  const Problem problem;
  SolverSettings spec = unmixed();
  spec.max_iterations = 2;
  PropagatorSolver solver(problem.links(), problem.action(), spec, batch);
  Field x(problem.geometry, solver.quark_spec(batch));
  const PropagatorSolver::FillSource fill = [&](Field& part, int) { copy(part, problem.b); };
  const std::string missed = test::message_of(
      ErrorKind::not_converged, [&] { solver.approximate(x, fill, {.tolerance = 1e-6}, "field"); });
  EXPECT_NE(missed.find("missed its tolerance 1e-06"), std::string::npos) << missed;
  // Iterations are not limited by those of exact solves.
  EXPECT_EQ(solver.approximate(x, fill, {.iterations = 5}, "field").iterations[0], 5);

  EXPECT_FALSE((Approximation{.iterations = 1}.fault()));
  EXPECT_FALSE((Approximation{.tolerance = 0.5}.fault()));
  EXPECT_EQ((Approximation{.iterations = 0}.fault()->parameter), "iterations");
  EXPECT_EQ((Approximation{}.fault()->parameter), "iterations");
  EXPECT_EQ((Approximation{.tolerance = 1.0}.fault()->parameter), "tolerance");
  EXPECT_EQ((Approximation{.iterations = 5, .tolerance = 0.1}.fault()->parameter), "tolerance");
}

}  // namespace
}  // namespace plaq::approximate_test

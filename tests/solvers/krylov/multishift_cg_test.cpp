// Multi-shift CG against separate solves of each shift.
#include "solvers/krylov/multishift_cg.hpp"

#include <gtest/gtest.h>

#include "solvers/schur_solve.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq::multishift_cg_test {
namespace {

using test::world_size;

const Extents extents{4, 4, 4, 8};

TEST(MultishiftCg, EqualsSeparateSolves) {
  const std::vector<double> shifts{0.5, 0.01, 0, 3, 0.01, 40};
  const auto b = test::random_sources(extents, 2);
  for (const auto& ranks : test::some_grids(extents)) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    test::WilsonSystem p(grid, extents, b);
    NormalOperator normal(*p.in_double, 2);
    MultishiftCg multishift(normal, grid, 2, shifts);
    std::vector<Field> x;
    for (std::size_t s = 0; s < shifts.size(); ++s) x.push_back(p.source);  // what is there does not matter
    for (Field& field : x) field = Field(p.geometry, p.source.spec());
    SolverParameters parameters;
    parameters.tolerance = 1e-11;
    const auto report = multishift.solve(x, p.source, parameters);
    EXPECT_TRUE(report.converged());
    int slowest = 0;
    for (std::size_t s = 0; s < shifts.size(); ++s) {
      SCOPED_TRACE("shift " + std::to_string(shifts[s]));
      ShiftedOperator shifted(normal, shifts[s], 2);
      KrylovSolver cg(std::make_unique<HermitianCg>(shifted, 2), grid, 2);
      Field y = p.zero();
      const auto alone = cg.solve(y, p.source, parameters);
      EXPECT_TRUE(alone.converged());
      EXPECT_LT(test::max_difference(x[s], test::to_vectors(y)), 1e-9);
      for (const double r : true_residuals(shifted, grid, x[s], p.source)) EXPECT_LE(r, 1.000001e-11);
      // Converged as soon as it would have converged alone.
      EXPECT_NEAR(report.shifts[s].iterations, alone.iterations, 1 + 0.05 * alone.iterations);
      slowest = std::max(slowest, alone.iterations);
    }
    EXPECT_NEAR(report.iterations, slowest, 2);
    // One wait of the host an iteration, beside those for the first residual and that of each shift.
    EXPECT_EQ(report.waits, report.iterations + 1 + static_cast<std::int64_t>(shifts.size()));
    EXPECT_LT(report.shifts[5].iterations, report.iterations / 2);
  }
}

// Each right-hand side has its bits alone and in a batch; zero and NaN are named; so are limits.
TEST(MultishiftCg, MembersOfABatch) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  auto b = test::random_sources(extents, 4);
  b[1] = reference::zero_spinor({extents});
  b[2][3][1][1] = std::nan("");
  const std::vector<double> shifts{0.1, 1};
  const auto solve = [&](const std::vector<reference::SpinorField>& sources, std::vector<Field>& x,
                         const SolverParameters& parameters) {
    test::WilsonSystem p(self, extents, sources);
    NormalOperator normal(*p.in_double, p.batch());
    MultishiftCg multishift(normal, self, p.batch(), shifts);
    x.clear();
    for (int s = 0; s < 2; ++s) x.push_back(p.zero());
    return multishift.solve(x, p.source, parameters);
  };
  std::vector<Field> x, alone;
  const auto report = solve(b, x, {});
  solve({b[3]}, alone, {});
  for (std::size_t s = 0; s < 2; ++s) {
    EXPECT_EQ(report.shifts[s].results[1].reason, StopReason::converged);
    EXPECT_EQ(report.shifts[s].results[2].reason, StopReason::not_a_number);
    EXPECT_EQ(report.shifts[s].results[3].reason, StopReason::converged);
    EXPECT_EQ(test::fingerprints(x[s], self)[3], test::fingerprints(alone[s], self)[0]);
  }
  for (const int limit : {0, 3}) {
    SolverParameters parameters;
    parameters.max_iterations = limit;
    const auto limited = solve({b[0]}, x, parameters);
    for (const auto& shift : limited.shifts) {
      EXPECT_EQ(shift.results[0].reason, StopReason::max_iterations);
      EXPECT_EQ(shift.results[0].iterations, limit);
    }
  }
}

// In single precision the recurrence of the residuals promises more than there is: those that missed their
// target are polished, or say that they stagnate.
TEST(MultishiftCg, PolishesWhatTheRecurrenceMissed) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 4, 4});
  const Queue queue(Location::host);
  test::DiagonalOperator a(geometry, Precision::single_precision, queue, [](int site, int k) {
    return std::pow(2e4, -std::fmod((12 * site + k) * 0.6180339887498949, 1.0));
  });
  const Field b = test::to_plaq(test::random_sources({4, 4, 4, 4}, 1), geometry, Subset::full,
                                Precision::single_precision, Location::host);
  std::vector<Field> x;
  for (int s = 0; s < 2; ++s) x.push_back(Field(geometry, b.spec()));
  MultishiftCg multishift(a, self, 1, {0, 1e-2});
  SolverParameters parameters;
  parameters.tolerance = 2e-6;
  const auto report = multishift.solve(x, b, parameters);
  bool polished = false;
  for (const auto& shift : report.shifts) {
    EXPECT_EQ(shift.attempts[0].method, "multishift-cg");
    polished = polished || shift.attempts.size() == 2;
    if (shift.attempts.size() == 2) {
      EXPECT_EQ(shift.attempts[0].reason, StopReason::stagnation);
      EXPECT_EQ(shift.attempts[1].method, "hermitian-cg");
    }
    EXPECT_TRUE(shift.converged()) << name_of(shift.reason());
  }
  EXPECT_TRUE(polished);
  EXPECT_THROW(MultishiftCg(a, self, 1, {}), Error);
  EXPECT_THROW(MultishiftCg(a, self, 1, {0.1, -0.1}), Error);
}

// Systems of several shifts and right-hand sides are polished in batches, with the bits that each has alone.
TEST(MultishiftCg, PolishesSeveralShiftsTogether) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 2, 4});
  const Queue queue(Location::host);
  test::DiagonalOperator a(geometry, Precision::single_precision, queue, [](int site, int k) {
    return std::pow(2e4, -std::fmod((12 * site + k) * 0.6180339887498949, 1.0));
  });
  const std::vector<double> shifts{1e-4, 3, 0, 1e-5, 0.1};
  const auto sources = test::random_sources({4, 4, 2, 4}, 3);
  SolverParameters parameters;
  parameters.tolerance = 5e-6;
  const auto solve = [&](const std::vector<reference::SpinorField>& of, std::vector<Field>& x) {
    const Field b = test::to_plaq(of, geometry, Subset::full, Precision::single_precision, Location::host);
    x.clear();
    for (std::size_t s = 0; s < shifts.size(); ++s) x.push_back(Field(geometry, b.spec()));
    return MultishiftCg(a, self, b.batch(), shifts).solve(x, b, parameters);
  };
  std::vector<Field> x, y;
  const auto report = solve(sources, x);
  EXPECT_TRUE(report.converged());
  int polished = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto alone = solve({sources[i]}, y);
    for (std::size_t s = 0; s < shifts.size(); ++s) {
      SCOPED_TRACE(testing::Message() << "shift " << shifts[s] << ", " << i);
      EXPECT_EQ(test::fingerprints(x[s], self)[i], test::fingerprints(y[s], self)[0]);
      const SolveResult &mine = report.shifts[s].results[i], &single = alone.shifts[s].results[0];
      EXPECT_EQ(mine.iterations, single.iterations);
      EXPECT_EQ(mine.updates, single.updates);
      EXPECT_EQ(mine.residual_norm, single.residual_norm);
      polished += alone.shifts[s].attempts.size() == 2;
      EXPECT_LE(alone.shifts[s].attempts.size(), report.shifts[s].attempts.size());
      EXPECT_LE(alone.shifts[s].attempts.back().iterations, report.shifts[s].attempts.back().iterations);
    }
  }
  EXPECT_GT(polished, 3);  // more than a batch
  EXPECT_LT(polished, 15);
}

}  // namespace
}  // namespace plaq::multishift_cg_test

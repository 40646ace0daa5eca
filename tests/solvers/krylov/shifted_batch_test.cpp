// A shift of its own for each right-hand side of a batch: each has the bits that it has alone.
#include <gtest/gtest.h>

#include "solvers/krylov/hermitian_cg.hpp"
#include "solvers/mixed/reliable_update.hpp"
#include "solvers/normal_operator.hpp"
#include "solvers/residuals.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/world.hpp"

namespace plaq::shifted_batch_test {
namespace {

const Extents extents{4, 4, 4, 8};
const std::vector<double> shifts{0.02, 0, 3, 0.5};

// A^dagger A + shift_i in both precisions, for a system with these sources.
struct Shifted {
  test::WilsonSystem system;
  NormalOperator exact_normal, low_normal;
  ShiftedOperator exact, low;

  Shifted(const ProcessGrid& grid, const std::vector<reference::SpinorField>& sources,
          const std::vector<double>& of)
      : system(grid, extents, sources),
        exact_normal(*system.in_double, system.batch()),
        low_normal(*system.in_single, system.batch()),
        exact(exact_normal, 0, system.batch()),
        low(low_normal, 0, system.batch()) {
    exact.set_shifts(of);
    low.set_shifts(of);
  }
  SolveReport solve(Field& x, const ProcessGrid& grid) {
    ReliableUpdates solver(exact, std::make_unique<HermitianCg>(low, system.batch()), grid, system.batch());
    SolverParameters parameters;
    parameters.tolerance = 1e-11;
    x = system.zero();
    return solver.solve(x, system.source, parameters);
  }
};

TEST(ShiftedBatch, HasTheBitsOfEachAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto b = test::random_sources(extents, static_cast<int>(shifts.size()));
  Shifted together(self, b, shifts);
  Field x;
  const auto report = together.solve(x, self);
  ASSERT_TRUE(report.converged());
  const auto bits = test::fingerprints(x, self);
  int all = 0;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    SCOPED_TRACE(shifts[i]);
    Shifted alone(self, {b[i]}, {shifts[i]});
    Field y;
    const auto of_one = alone.solve(y, self);
    EXPECT_TRUE(of_one.converged());
    EXPECT_EQ(report.results[i].iterations, of_one.results[0].iterations);
    EXPECT_EQ(bits[i], test::fingerprints(y, self)[0]);
    all += of_one.iterations;
  }
  EXPECT_LT(report.iterations, 0.7 * all);  // passes over the links
  EXPECT_EQ(report.iterations, report.results[1].iterations);
}

TEST(ShiftedBatch, AddsEachShift) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto b = test::random_sources(extents, static_cast<int>(shifts.size()));
  Shifted plain(self, b, {0, 0, 0, 0}), shifted(self, b, shifts);
  Field with = plain.system.zero(), without = plain.system.zero();
  plain.exact.apply(without, plain.system.source);
  shifted.exact.apply(with, shifted.system.source);
  const auto sum = test::to_vectors(with), normal = test::to_vectors(without);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    auto expected = normal[i];
    const auto source = test::to_vectors(plain.system.source)[i];
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += shifts[i] * source[k];
    double largest = 0;
    for (std::size_t k = 0; k < expected.size(); ++k)
      largest = std::max(largest, std::abs(expected[k] - sum[i][k]));
    EXPECT_LT(largest, 1e-13) << shifts[i];
  }
}

}  // namespace
}  // namespace plaq::shifted_batch_test

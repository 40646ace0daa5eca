// A smoother takes its steps by the plain formula, alike in any batch and on any grid. Nobody waits.
#include <gtest/gtest.h>

#include "core/system/error.hpp"
#include "solvers/krylov/gcr.hpp"
#include "solvers/krylov/mr.hpp"
#include "tests/solvers/plain_vectors.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq::smoother_test {
namespace {

using test::Complex64;
const Extents extents{4, 4, 4, 8};

MethodSettings relaxed(double omega) {
  MethodSettings settings;
  settings.omega = omega;
  return settings;
}

Complex64 eigenvalue(int site, int k) {
  return {1 + std::fmod((12 * site + k) * 0.618, 1.0), 0.5 * std::sin(site)};
}

TEST(MrSmoother, TakesItsStepsByThePlainFormula) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  test::DiagonalOperator a(geometry, Precision::double_precision, Queue(Location::host), eigenvalue);
  const Field b = test::to_plaq(test::random_sources(extents, 2), geometry, Subset::full,
                                Precision::double_precision, Location::host);
  constexpr double omega = 0.85;
  for (const int steps : {1, 4}) {
    MrSmoother smoother(a, self, 2, steps, relaxed(omega));
    Field x(geometry, b.spec()), r(geometry, b.spec());
    copy(r, b);
    smoother.smooth(x, r, ActiveSet(2));
    EXPECT_EQ(smoother.batch().waits(), 0);
    for (int rhs = 0; rhs < 2; ++rhs) {
      test::Vector plain_r = test::plain(b, rhs), plain_x(plain_r.size());
      for (int n = 0; n < steps; ++n) {
        const test::Vector q = test::times(eigenvalue, plain_r);
        const Complex64 alpha = omega * test::dot(q, plain_r) / test::dot(q, q);
        test::add(alpha, plain_r, plain_x);
        test::add(-alpha, q, plain_r);
      }
      EXPECT_LT(test::distance(test::plain(x, rhs), plain_x), 1e-12);
      EXPECT_LT(test::distance(test::plain(r, rhs), plain_r), 1e-12);
      EXPECT_LT(std::abs(test::dot(plain_r, plain_r)),
                std::abs(test::dot(test::plain(b, rhs), test::plain(b, rhs))));
    }
  }
}

// What smooth() makes of the right-hand sides of a set, as bits.
struct Smoothed {
  std::uint64_t x = 0, r = 0;
  bool operator==(const Smoothed&) const = default;
};

Smoothed smoothed(const ProcessGrid& grid, std::uint32_t forced, Precision precision,
                  const std::vector<reference::SpinorField>& b, const std::vector<char>& which,
                  int looked_at) {
  test::WilsonSystem p(grid, extents, b, 0.05, 0.3, Location::host, forced);
  LinearOperator& a = p.inner(precision);
  MrSmoother smoother(a, grid, p.batch(), 3, relaxed(0.9));
  Field x(p.geometry, a.spec(p.batch())), r(p.geometry, a.spec(p.batch()));
  copy(r, p.source);
  smoother.smooth(x, r, ActiveSet(which));
  EXPECT_EQ(smoother.batch().waits(), 0);
  const auto at = static_cast<std::size_t>(looked_at);
  return {test::fingerprints(x, grid)[at], test::fingerprints(r, grid)[at]};
}

TEST(MrSmoother, HasTheSameBitsAloneInABatchAndOnEveryGrid) {
  const auto b = test::random_sources(extents, 3);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    const Smoothed alone = smoothed(self, 0, precision, {b[2]}, {1}, 0);
    for (const auto& ranks : test::some_grids(extents)) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks);
      const std::uint32_t forced = test::world_size() == 1 ? 15u : 0u;
      EXPECT_EQ(smoothed(grid, forced, precision, b, {1, 1, 1}, 2), alone) << to_string(ranks);
      EXPECT_EQ(smoothed(grid, forced, precision, b, {1, 0, 1}, 2), alone) << to_string(ranks);
    }
    // Who is not meant is left alone: x = 0 and r = b.
    const Smoothed before = smoothed(self, 0, precision, {b[1]}, {0}, 0);
    EXPECT_EQ(smoothed(self, 0, precision, b, {1, 0, 1}, 1), before);
    EXPECT_NE(alone.x, before.x);
  }
}

// Used as an approximate inverse, it cuts the iterations of GCR, which still waits once for each.
TEST(MrSmoother, Preconditions) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  test::WilsonSystem p(self, extents, test::random_sources(extents, 2), -0.1);
  MrSmoother smoother(*p.in_double, self, 2, 4, relaxed(0.9));
  SolverParameters parameters;
  parameters.tolerance = 1e-11;
  int iterations[2];
  for (LinearOperator* preconditioner :
       {static_cast<LinearOperator*>(nullptr), static_cast<LinearOperator*>(&smoother)}) {
    KrylovSolver gcr(std::make_unique<Gcr>(*p.in_double, 2, 12, preconditioner), self, 2);
    Field x = p.zero();
    const SolveReport report = gcr.solve(x, p.source, parameters);
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.waits, report.iterations + 1 + report.results[0].updates + report.results[1].updates);
    iterations[preconditioner == nullptr ? 0 : 1] = report.iterations;
  }
  EXPECT_LT(iterations[1], 0.5 * iterations[0]);
  EXPECT_EQ(smoother.batch().waits(), 0);
  Field x = p.zero();
  EXPECT_THROW(smoother.apply_dagger(x, p.source), Error);
  EXPECT_THROW(MrSmoother(*p.in_double, self, 2, 0), Error);
  EXPECT_THROW(MrSmoother(*p.in_double, self, 2, 1, relaxed(2)), Error);
}

}  // namespace
}  // namespace plaq::smoother_test

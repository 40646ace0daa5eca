// GCR by the plain formula, and right-hand sides that stand at different directions of their cycles. How
// often the host waits, of every method.
#include "solvers/krylov/gcr.hpp"

#include <gtest/gtest.h>

#include "kernels/blas/operations.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/solvers/plain_vectors.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"

namespace plaq {
namespace {

using test::Complex64, test::Vector;
const Extents extents{4, 4, 4, 4};

Complex64 eigenvalue(int site, int k) {
  return {0.1 + std::fmod((12 * site + k) * 0.618, 1.0), 0.3 * std::sin(site)};
}

// |r| after each iteration, and x at the end: Eisenstat, Elman, Schultz 1983, p_j = r.
std::vector<double> plain_gcr(Vector r, int length, int iterations, Vector& x) {
  std::vector<double> norms;
  std::vector<Vector> p, z;
  x.assign(r.size(), 0);
  for (int n = 0; n < iterations; ++n) {
    if (static_cast<int>(p.size()) == length) {
      p.clear();
      z.clear();
    }
    Vector direction = r, image = test::times(eigenvalue, r);
    const Vector unprojected = image;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Complex64 beta = test::dot(z[i], unprojected) / test::dot(z[i], z[i]);
      test::add(-beta, p[i], direction);
      test::add(-beta, z[i], image);
    }
    const Complex64 alpha = test::dot(image, r) / test::dot(image, image);
    test::add(alpha, direction, x);
    test::add(-alpha, image, r);
    norms.push_back(std::sqrt(test::dot(r, r).real()));
    p.push_back(std::move(direction));
    z.push_back(std::move(image));
  }
  return norms;
}

TEST(Gcr, IteratesByThePlainFormula) {
  constexpr int iterations = 30;
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry(extents);
  test::DiagonalOperator a(geometry, Precision::double_precision, Queue(Location::host), eigenvalue);
  const Field b = test::to_plaq(test::random_sources(extents, 2), geometry, Subset::full,
                                Precision::double_precision, Location::host);
  for (const int length : {1, 4, 14, 40}) {
    SCOPED_TRACE(length);
    KrylovSolver gcr(std::make_unique<Gcr>(a, 2, length), self, 2);
    std::vector<double> found[2];
    SolverParameters parameters;
    parameters.tolerance = 0;
    parameters.max_iterations = iterations;
    parameters.watch = [&](int, const std::vector<double>& norms) {
      for (std::size_t i = 0; i < 2; ++i) found[i].push_back(norms[i]);
    };
    Field x(geometry, b.spec());
    gcr.solve(x, b, parameters);
    for (int rhs = 0; rhs < 2; ++rhs) {
      Vector expected_x;
      const auto expected = plain_gcr(test::plain(b, rhs), length, iterations, expected_x);
      ASSERT_EQ(found[rhs].size(), expected.size());
      for (std::size_t n = 0; n < expected.size(); ++n)
        EXPECT_NEAR(found[rhs][n] / expected[n], 1, 1e-9) << "iteration " << n;
      EXPECT_LT(test::distance(test::plain(x, rhs), expected_x), 1e-11);
    }
  }
}

// One right-hand side starts again in the middle of the others' cycle, as after a breakdown: its norms and x
// have the bits that it has alone, and the host still waits once for all of them.
TEST(Gcr, RightHandSidesAtDifferentDirections) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto sources = test::random_sources(extents, 3);
  struct Outcome {
    std::vector<double> norms;
    Vector x;
  };
  const auto run = [&](const std::vector<reference::SpinorField>& b, int late, int looked_at) {
    test::WilsonSystem p(self, extents, b);
    const int n = p.batch();
    Gcr gcr(*p.in_double, n, 4);
    Batch batch(self, p.queue, n);
    batch.reset();
    for (int i = 0; i < n; ++i) batch.activate(i);
    std::vector<char> only(b.size(), 0);
    only[static_cast<std::size_t>(late)] = 1;
    const ActiveSet restarted(only);
    Field x = p.zero(), r = p.zero();
    copy(r, p.source);
    std::vector<double> norms(b.size());
    std::vector<char> breakdown(b.size());
    Outcome outcome;
    gcr.begin(batch, batch.all(), r);
    for (int step = 1; step <= 11; ++step) {
      gcr.step(batch, x, r, norms, breakdown);
      EXPECT_EQ(batch.waits(), step);
      outcome.norms.push_back(norms[static_cast<std::size_t>(looked_at)]);
      if (step != 2 && step != 7) continue;
      gcr.flush_updates(batch, restarted, x, r);
      gcr.begin(batch, restarted, r);
    }
    gcr.flush_updates(batch, batch.all(), x, r);
    outcome.x = test::plain(x, looked_at);
    return outcome;
  };
  const Outcome late = run(sources, 1, 1), late_alone = run({sources[1]}, 0, 0);
  EXPECT_EQ(late.norms, late_alone.norms);
  EXPECT_EQ(late.x, late_alone.x);
  const Outcome other = run({sources[1], sources[2]}, 0, 1), in_three = run(sources, 1, 2);
  EXPECT_EQ(other.norms, in_three.norms);
  EXPECT_EQ(other.x, in_three.x);
}

// Once an iteration, once for the first residual, and once for each residual that is recomputed.
TEST(KrylovMethods, TheHostWaitsOnceAnIteration) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  test::WilsonSystem p(self, extents, test::random_sources(extents, 1), 0.1);
  SolverParameters parameters;
  parameters.tolerance = 1e-10;
  for (const MixedScheme scheme : {MixedScheme::none, MixedScheme::reliable_updates})
    for (const std::string& method : test::method_names) {
      SCOPED_TRACE(method + " " + std::string(name_of(scheme)));
      const auto solver =
          test::make_solver(method, scheme, *p.in_double, p.inner(Precision::single_precision), self, 1);
      Field x = p.zero();
      const SolveReport report = solver->solve(x, p.source, parameters);
      EXPECT_TRUE(report.converged());
      EXPECT_GT(report.iterations, 10);
      EXPECT_EQ(report.waits, report.iterations + 1 + report.results[0].updates);
    }
}

}  // namespace
}  // namespace plaq

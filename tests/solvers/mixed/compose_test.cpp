// Solvers inside solvers, and what a report counts.
#include <gtest/gtest.h>

#include "core/system/memory.hpp"
#include "solvers/mixed/approximate_inverse.hpp"
#include "solvers/schur_solve.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"

namespace plaq {
namespace {

const Extents extents{4, 4, 4, 8};

struct Compose : testing::Test {
  ProcessGrid self{MPI_COMM_SELF, {1, 1, 1, 1}};
  test::WilsonSystem p{self, extents, test::random_sources(extents, 2), -0.1};
  SolverParameters to(double tolerance) const {
    SolverParameters s;
    s.tolerance = tolerance;
    s.max_iterations = 1000;
    return s;
  }
};

// A few steps of MR, or BiCGstab to a loose tolerance, cut the iterations of GCR.
TEST_F(Compose, GcrWithASolverAsPreconditioner) {
  Field x = p.zero();
  KrylovSolver plain(std::make_unique<Gcr>(*p.in_double, 2, 12), self, 2);
  const auto without = plain.solve(x, p.source, to(1e-11));
  ASSERT_TRUE(without.converged());

  KrylovSolver mr(std::make_unique<MinimalResidual>(*p.in_double, 2, 0.9), self, 2);
  SolverParameters four;
  four.max_iterations = 4;
  four.tolerance = 0;
  ApproximateInverse smoother(mr, *p.in_double, self, four);
  KrylovSolver bicgstab(std::make_unique<BicgstabMethod>(*p.in_double, 2), self, 2);
  ApproximateInverse inverse(bicgstab, *p.in_double, self, to(0.1));
  for (LinearOperator* preconditioner : {&smoother, &inverse}) {
    KrylovSolver gcr(std::make_unique<Gcr>(*p.in_double, 2, 12, preconditioner), self, 2);
    Field y = p.zero();
    const auto report = gcr.solve(y, p.source, to(1e-11));
    EXPECT_TRUE(report.converged()) << name_of(report.reason());
    for (const double r : true_residuals(*p.in_double, self, y, p.source)) EXPECT_LE(r, 1.000001e-11);
    EXPECT_LT(report.iterations, 0.5 * without.iterations);
    // The work inside is counted, as work, not as applications of A by GCR.
    EXPECT_GT(report.flops / static_cast<double>(report.inner.right_hand_sides),
              2 * without.flops / static_cast<double>(without.inner.right_hand_sides));
  }
  Field z = p.zero();
  EXPECT_THROW(smoother.apply_dagger(z, p.source), Error);
}

// Restart lengths short and long, also beyond what one wait for sums takes.
TEST_F(Compose, GcrOfAnyLength) {
  int longest = 0;
  for (const int length : {1, 2, 3, 4, 12, 13, 40}) {
    Field x = p.zero();
    KrylovSolver gcr(std::make_unique<Gcr>(*p.in_double, 2, length), self, 2);
    const auto report = gcr.solve(x, p.source, to(1e-10));
    EXPECT_TRUE(report.converged()) << length;
    longest = report.iterations;
    if (length > 1) continue;
    KrylovSolver mr(std::make_unique<MinimalResidual>(*p.in_double, 2), self, 2);  // the same as GCR(1)
    Field y = p.zero();
    EXPECT_NEAR(mr.solve(y, p.source, to(1e-10)).iterations, report.iterations, 2);
  }
  EXPECT_LT(longest, 80);
}

// Links are read once for all right-hand sides that are active; applications
// to converged ones are not counted.
TEST_F(Compose, WhatAReportCounts) {
  const auto geometry = self.geometry({4, 4, 4, 4});
  const auto spectrum = [](int site, int k) { return 1 + std::fmod((12 * site + k) * 0.618, 1.0); };
  test::DiagonalOperator a(geometry, Precision::double_precision, Queue(Location::host), spectrum);
  auto sources = test::random_sources({4, 4, 4, 4}, 2);
  const Field b = test::to_plaq(sources, geometry, Subset::full, Precision::double_precision, Location::host);
  Field x(geometry, b.spec());
  SolverParameters parameters;
  parameters.targets = {1e-3, 1e-10};
  const auto report = test::make_solver("cg", MixedScheme::none, a, a, self, 2)->solve(x, b, parameters);
  ASSERT_TRUE(report.converged());
  const auto &one = report.results[0], &two = report.results[1];
  ASSERT_LT(one.iterations, two.iterations);
  // Twice an iteration, and once at the start.
  EXPECT_EQ(report.inner.calls, 1 + 2 * two.iterations);
  EXPECT_EQ(report.inner.right_hand_sides, 2 + 2 * (one.iterations + two.iterations));
  EXPECT_EQ(report.outer.calls, 3);  // the guesses, and each when it was done
  EXPECT_EQ(report.outer.right_hand_sides, 4);
  EXPECT_EQ(one.updates, 1);
  // This operator says 1 flop a right-hand side and 100 + 1 for each: the rest is blas.
  const double applications = static_cast<double>(report.inner.right_hand_sides + 4);
  const double reals = 24.0 * 256;
  const double first_and_last = 2 * (1 + 3) + 2 * (2 + 1) + 2 * 3 + 2 * 3;  // vectors moved
  const double iterations = (7 + 3) * (one.iterations + two.iterations);
  EXPECT_DOUBLE_EQ(report.bytes, 100.0 * static_cast<double>(report.inner.calls + 3) + applications +
                                     8 * reals * (first_and_last + iterations));
}

// Everything is allocated before a solve.
TEST_F(Compose, NothingIsAllocatedInASolve) {
  for (const MixedScheme scheme :
       {MixedScheme::none, MixedScheme::reliable_updates, MixedScheme::defect_correction})
    for (const std::string& method : test::method_names) {
      const auto solver = test::make_solver(method, scheme, *p.in_double, *p.in_double, self, 2);
      Field x = p.zero();
      solver->solve(x, p.source, to(1e-3));  // halos come with the first application
      Field y = p.zero();
      const std::size_t before = Buffer::in_use(Location::host);
      Buffer::forget_high_water();
      solver->solve(y, p.source, to(1e-8));
      EXPECT_EQ(Buffer::high_water(Location::host), before) << method << " " << name_of(scheme);
    }
}

}  // namespace
}  // namespace plaq

// Solutions on time slices far from their source: how well a solve knows them, and the criterion for each
// slice.
#include "solvers/schur_solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "kernels/blas/blas.hpp"
#include "kernels/quark/sources.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "tests/quarks/dirac_problem.hpp"

namespace plaq {
namespace {

constexpr Extents heavy_extents{2, 2, 4, 48};
constexpr double mass = 1;

// ||x(t)||^2 of a column of the free Wilson propagator from t = 0, antiperiodic in time: the sum over momenta
// in space of |S(t)|^2 / L^3, S = (w - i sum_mu gamma_mu sin p_mu) / (w^2 + sum_mu sin^2 p_mu),
// w = m + sum_mu (1 - cos p_mu).
std::vector<long double> exact_norms() {
  const auto pi = std::acos(-1.0L);
  const int times = heavy_extents[3];
  std::vector<long double> norms(static_cast<std::size_t>(times));
  const auto momentum = [&](int n, int mu) {
    return 2 * pi * n / heavy_extents[static_cast<std::size_t>(mu)];
  };
  for (int x = 0; x < heavy_extents[0]; ++x)
    for (int y = 0; y < heavy_extents[1]; ++y)
      for (int z = 0; z < heavy_extents[2]; ++z)
        for (int t = 0; t < times; ++t) {
          std::complex<long double> sums[5] = {};
          for (int n = 0; n < times; ++n) {
            const long double p[4] = {momentum(x, 0), momentum(y, 1), momentum(z, 2),
                                      2 * pi * (n + 0.5L) / times};
            long double w = mass, d = 0;
            for (const long double q : p) {
              w += 1 - std::cos(q);
              d += std::sin(q) * std::sin(q);
            }
            d += w * w;
            const auto wave = std::polar(1.0L / times, p[3] * t);
            sums[0] += wave * (w / d);
            for (int mu = 0; mu < 4; ++mu) sums[mu + 1] += wave * (std::sin(p[mu]) / d);
          }
          for (const auto& sum : sums)
            norms[static_cast<std::size_t>(t)] +=
                std::norm(sum) / (heavy_extents[0] * heavy_extents[1] * heavy_extents[2]);
        }
  return norms;
}

class SliceSolve : public testing::Test {
 protected:
  SliceSolve()
      : grid_(MPI_COMM_WORLD, plaq::test::DiracProblem::choose()), geometry_(grid_.geometry(heavy_extents)) {
    gauge_ = plaq::test::to_plaq(reference::unit_gauge({heavy_extents}), geometry_,
                                 Precision::double_precision, plaq::test::host);
  }
  SystemSolver solver(const ActionPtr& action, const SolverSettings& spec) const {
    return {FermionLinks{&grid_, gauge_, queue_, make_host_transport(grid_, plaq::test::host)}, action, spec,
            2};
  }
  // Solves for two columns of a point source at the origin.
  FullSolveReport solve(SystemSolver& solver, Field& x) const {
    Field point(geometry_, solver.quark_spec()), b(geometry_, solver.spec_of_fields());
    point_source(point, {0, 0, 0, 0}, 0);
    if (b.spec() == point.spec()) {
      b = point;
    } else {
      solver.make_source(b, point);
    }
    x = Field(geometry_, b.spec());
    return solver.solve(x, b);
  }
  // ||x(t)||^2 of the first column on all slices.
  std::vector<double> norms(const Field& x) const {
    const auto own = blas::slice_norms(x, queue_);
    std::vector<ExactSum> sums(static_cast<std::size_t>(heavy_extents[3]));
    for (int t = 0; t < geometry_->local()[3]; ++t)
      sums[static_cast<std::size_t>(geometry_->offset()[3] + t)] = own[static_cast<std::size_t>(t)];
    return global_sums(grid_, sums);
  }
  static SolverSettings spec() {
    SolverSettings spec = plaq::test::unmixed();
    spec.method = SolverMethod::bicgstab;
    spec.tolerance = 1e-8;
    return spec;
  }

  ProcessGrid grid_;
  GeometryPtr geometry_;
  Queue queue_{plaq::test::host};
  Field gauge_;
};

TEST_F(SliceSolve, HeavyQuarksAreDeterminedFarFromTheirSource) {
  WilsonParameters parameters;
  parameters.mass = mass;
  const auto exact = exact_norms();
  SolverSettings wanted = spec();
  Field x;
  auto plain = solver(wilson_action(parameters), wanted);
  const FullSolveReport known = solve(plain, x);
  EXPECT_TRUE(known.converged());
  ASSERT_EQ(known.slice_residuals.size(), 2u);
  ASSERT_EQ(known.slice_residuals[0].size(), 48u);
  EXPECT_LT(known.slice_residuals[0][1], 1e-6);
  EXPECT_GT(known.slice_residuals[0][24], 1e-3);
  EXPECT_GT(std::abs(norms(x)[24] / static_cast<double>(exact[24]) - 1), 1e-3);
  for (const SolverMethod method : {SolverMethod::bicgstab, SolverMethod::cg})
    for (const MixedScheme scheme : {MixedScheme::none, MixedScheme::reliable_updates}) {
      wanted.method = method;
      wanted.scheme = scheme;
      wanted.slice_tolerance = 1e-7;
      auto careful = solver(wilson_action(parameters), wanted);
      const FullSolveReport report = solve(careful, x);
      EXPECT_TRUE(report.converged());
      EXPECT_LE(report.relative_residuals[0], wanted.tolerance);
      EXPECT_GT(report.solve.iterations, known.solve.iterations);
      for (const auto& column : report.slice_residuals)
        for (const double ratio : column) EXPECT_LE(ratio, 1e-7);
      const auto found = norms(x);
      for (std::size_t t = 0; t < found.size(); ++t)
        EXPECT_NEAR(found[t] / static_cast<double>(exact[t]), 1, 1e-5) << t;
    }
}

TEST_F(SliceSolve, OfEveryDiscretisation) {
  StaggeredParameters staggered;
  staggered.mass = 1.5;
  DomainWallChoice wall;
  wall.n_s = 4;
  wall.mass = 0.9;
  SolverSettings wanted = spec();
  wanted.method = SolverMethod::cg;
  for (const ActionPtr& action : {staggered_action(staggered), domain_wall_action(wall)}) {
    SCOPED_TRACE(action->name());
    Field x;
    wanted.slice_tolerance.reset();
    auto plain = solver(action, wanted);
    EXPECT_GT(solve(plain, x).slice_residuals[1][24], 1e-6);
    wanted.slice_tolerance = 1e-6;
    auto careful = solver(action, wanted);
    const FullSolveReport report = solve(careful, x);
    EXPECT_TRUE(report.converged());
    for (const auto& column : report.slice_residuals)
      for (const double ratio : column) EXPECT_LE(ratio, 1e-6);
  }
}

// A tolerance below rounding is not reached, and the solve says so.
TEST_F(SliceSolve, WhatIsOutOfReachIsNotConverged) {
  WilsonParameters parameters;
  parameters.mass = mass;
  SolverSettings wanted = spec();
  wanted.slice_tolerance = 1e-18;
  auto careful = solver(wilson_action(parameters), wanted);
  Field x;
  const FullSolveReport report = solve(careful, x);
  EXPECT_FALSE(report.converged());
  EXPECT_LE(report.relative_residuals[0], wanted.tolerance);
}

}  // namespace
}  // namespace plaq

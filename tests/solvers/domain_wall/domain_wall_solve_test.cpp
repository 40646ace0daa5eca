// Solves of domain-wall systems through their even-odd form: conjugate gradients on the normal equations,
// alone and in mixed precision, against the reference's solution and with the same bits on any process grid
// and in any batch.
#include <gtest/gtest.h>

#include "solvers/schur_solve.hpp"
#include "tests/solvers/krylov/methods.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::Wall;

const Extents extents{4, 4, 4, 4};
constexpr double tolerance = 1e-10;
constexpr double disorder = 0.25;

struct Solved {
  FullSolveReport report;
  Field x;
};

// The right-hand sides `b` (in five dimensions), outer in double with 18 reals, inner in `inner`.
Solved solve(const test::WallProblem& p, const test::Batch& b, const ProcessGrid& grid, const GeometryPtr& g,
             Location location, const std::string& method, MixedScheme scheme, const LinkStorage& inner) {
  const int batch = static_cast<int>(b.size());
  const Queue queue(location);
  const auto hopping = test::make_hopping(p, {grid, g, {}, queue});
  DomainWallSchur outer(hopping, p.ours, 0, batch);
  DomainWallSchur low(test::make_hopping(p, {grid, g, inner, queue}), p.ours, 0, batch);
  DomainWallOperator residual_operator(hopping, p.ours, batch);
  MethodSettings settings;
  settings.inner_tolerance = inner.precision == Precision::half_precision ? 0.1 : 1e-4;
  const auto solver = test::make_solver(method, scheme, outer, low, grid, batch, settings);
  const Field source = test::five_to_plaq(p, b, g, Subset::full, Precision::double_precision, location);
  Solved s{{}, Field(g, residual_operator.spec(batch))};
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = 2000;
  s.report = solve_schur(outer, *solver, residual_operator, grid, s.x, source, parameters);
  return s;
}

class DomainWallSolve : public testing::TestWithParam<Wall> {};

TEST_P(DomainWallSolve, ReachesTheReferencesSolutionInEveryPrecision) {
  const Wall wall = GetParam();
  const int n_s = wall == Wall::optimal ? 3 : 6;
  const auto p = test::make_wall_problem(extents, wall, n_s, 3, disorder);
  const test::Batch expected = test::from_first_rank([&] {
    test::Batch solutions;
    for (const auto& b : p.in) solutions.push_back(test::solve(p, b, 1e-12));
    return solutions;
  });
  const LinkStorage single{Precision::single_precision, 12}, half{Precision::half_precision, 12};
  int grids = 0;
  for (const auto& ranks : test::some_grids(extents)) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks);
    const auto g = grid.geometry(extents);
    ++grids;
    for (const Location location : test::locations())
      for (const std::string method : {"cg", "cgne"})
        for (const MixedScheme scheme :
             {MixedScheme::none, MixedScheme::reliable_updates, MixedScheme::defect_correction})
          for (const LinkStorage& inner : {single, half}) {
            if (scheme == MixedScheme::none && inner == half) continue;
            if (test::world_size() > 1 && (method == "cg" || inner == single)) continue;  // many grids
            const bool defects = scheme == MixedScheme::defect_correction;
            if (test::world_size() > 1 && defects != (grids % 2 == 0)) continue;
            SCOPED_TRACE(test::name_of(wall) + " " + method + " " + std::string(name_of(scheme)) + " " +
                         std::string(name_of(inner.precision)) + " " + std::string(name_of(location)));
            const auto s = solve(p, p.in, grid, g, location, method, scheme, inner);
            EXPECT_TRUE(s.report.converged());
            for (const double residual : s.report.relative_residuals)
              EXPECT_LE(residual, tolerance * 1.000001);
            EXPECT_LE(s.report.tightened, 1);  // residual_scale() is a good guess
            EXPECT_LT(test::deviation(s.x, test::slices_of(p, expected)).most(), 1e-8);
          }
  }
}

TEST_P(DomainWallSolve, SameBitsOnEveryGridAndInAnyBatch) {
  const Wall wall = GetParam();
  const int n_s = wall == Wall::optimal ? 5 : 4;
  const auto p = test::make_wall_problem(extents, wall, n_s, 3, disorder);
  const LinkStorage half{Precision::half_precision, 12};
  // Bits and iterations of each right-hand side, in a batch and, `apart`, one by one.
  const auto outcome = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location, bool apart) {
    std::vector<std::uint64_t> all;
    for (const auto& some :
         apart ? std::vector<test::Batch>{{p.in[0]}, {p.in[1]}, {p.in[2]}} : std::vector<test::Batch>{p.in}) {
      const auto s = solve(p, some, grid, g, location, "cgne", MixedScheme::reliable_updates, half);
      const auto bits = test::fingerprints(s.x, grid);
      for (std::size_t i = 0; i < some.size(); ++i) {
        all.push_back(bits[i]);
        all.push_back(static_cast<std::uint64_t>(s.report.solve.results[i].iterations));
      }
    }
    return all;
  };
  for (const Location where : test::locations()) {
    const auto alone = test::from_first_rank([&] {
      const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
      return outcome(self, self.geometry(extents), where, true);
    });
    test::for_two_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      if (location != where) return;
      EXPECT_EQ(outcome(grid, g, location, false), alone);
    });
  }
}

// A guess in five dimensions becomes one of the even-odd system.
TEST(DomainWallSolve, BeginsAtTheGuess) {
  if (test::world_size() > 1) GTEST_SKIP() << "of one rank";
  const auto p = test::make_wall_problem(extents, Wall::borici, 4, 1, disorder);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry(extents);
  const auto hopping = test::make_hopping(p, {self, g, {}, Queue(Location::host)});
  DomainWallSchur schur(hopping, p.ours, 0, 1);
  DomainWallOperator full(hopping, p.ours, 1);
  const auto solver = test::make_solver("cgne", MixedScheme::none, schur, schur, self, 1);
  Field x = test::five_to_plaq(p, p.in, g, Subset::full, Precision::double_precision, Location::host);
  Field b(g, full.spec(1));
  full.apply(b, x);
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  const auto report = solve_schur(schur, *solver, full, self, x, b, parameters);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.solve.iterations, 0);
}

INSTANTIATE_TEST_SUITE_P(Walls, DomainWallSolve, testing::Values(Wall::shamir, Wall::moebius, Wall::optimal),
                         [](const auto& info) { return test::name_of(info.param); });

}  // namespace
}  // namespace plaq

// Lanczos has the same bits on every process grid.
#include "solvers/eigen/lanczos.hpp"

#include <gtest/gtest.h>

#include "solvers/normal_operator.hpp"
#include "tests/solvers/wilson_problem.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

TEST(LanczosOnGrids, HasTheSameBits) {
  const Extents extents{4, 4, 4, 4};
  const auto run = [&](const ProcessGrid& grid, Location location, std::uint32_t forced, int degree) {
    test::WilsonProblem problem(grid, extents, test::random_sources(extents, 1), -1.0, 0.3, location, forced);
    NormalOperator normal(*problem.in_double, 1);
    LanczosParameters p;
    p.values = 2;
    p.tolerance = 1e-8;
    p.filter_degree = degree;
    Lanczos lanczos(normal, grid, 14);
    auto report = lanczos.run(problem.source, p);
    EXPECT_TRUE(report.converged()) << name_of(report.reason);
    return std::make_pair(report, test::fingerprint(lanczos.vector(1), grid));
  };
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location location : test::locations())
    for (const int degree : {0, 10}) {
      const auto one = run(self, location, 0, degree);
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
            if (where != location) return;
            const auto other = run(grid, where, geometry->decomposition().forced, degree);
            EXPECT_EQ(other.first.values, one.first.values);
            EXPECT_EQ(other.first.bounds, one.first.bounds);
            EXPECT_EQ(other.first.applications, one.first.applications);
            EXPECT_EQ(other.second, one.second);
          });
    }
}

}  // namespace
}  // namespace plaq

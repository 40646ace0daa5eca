// Eigenvalues of Wilson fermions on every process grid.
#include "solvers/lanczos.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/normal_operator.hpp"
#include "solvers/singular_range.hpp"
#include "tests/reference/wilson.hpp"
#include "tests/solvers/wilson_problem.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

// M^dagger M on unit links: (m + sum (1 - cos p))^2 + sum sin^2 p.
TEST(WilsonSpectrum, OfUnitLinks) {
  const Extents extents{4, 4, 2, 8};
  const double mass = -1.2;
  reference::WilsonParameters parameters;
  std::vector<double> exact;
  const reference::Lattice lattice{extents};
  for (int n = 0; n < lattice.volume(); ++n) {
    const auto p = reference::momentum(parameters, lattice, lattice.coordinates(n));
    double first = mass, second = 0;
    for (const double one : p) {
      first += 1 - std::cos(one);
      second += std::sin(one) * std::sin(one);
    }
    exact.push_back(std::sqrt(first * first + second));
  }
  const auto [low, high] = std::minmax_element(exact.begin(), exact.end());
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
        const Queue queue(where);
        const Field gauge =
            test::to_plaq(reference::unit_gauge(lattice), geometry, Precision::double_precision, where);
        WilsonParameters wilson;
        wilson.mass = mass;
        WilsonOperator m(std::make_shared<WilsonHopping>(grid, gauge, wilson, Precision::double_precision,
                                                         queue, make_host_transport(grid, where)));
        const Field start = test::to_plaq(test::random_sources(extents, 1), geometry, Subset::full,
                                          Precision::double_precision, where);
        const auto range = singular_range(m, grid, start, {.basis = 20, .accuracy = 1e-8});
        ASSERT_TRUE(range.converged()) << name_of(range.low.reason) << " " << name_of(range.high.reason);
        EXPECT_NEAR(range.smallest / *low, 1, 1e-8);
        EXPECT_NEAR(range.largest / *high, 1, 1e-8);
        EXPECT_LE(range.below, *low);
        EXPECT_GE(range.above, *high);
        EXPECT_GT(range.below, *low * (1 - 1e-8));
        EXPECT_LT(range.above, *high * (1 + 1e-8));
      });
}

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

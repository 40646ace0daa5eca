// Lanczos has the same bits on every process grid.
#include "solvers/eigen/lanczos.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "solvers/normal_operator.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

// Values and bounds, bit by bit, how often the operator was applied, and the second vector's fingerprint.
using Bits = std::vector<std::uint64_t>;

TEST(LanczosOnGrids, HasTheSameBits) {
  const Extents extents{4, 4, 4, 4};
  const auto run = [&](const ProcessGrid& grid, Location location, std::uint32_t forced, int degree) {
    test::WilsonSystem problem(grid, extents, test::random_sources(extents, 1), -1.0, 0.3, location, forced);
    NormalOperator normal(*problem.in_double, 1);
    LanczosParameters p;
    p.values = 2;
    p.tolerance = 1e-8;
    p.filter_degree = degree;
    Lanczos lanczos(normal, grid, 14);
    const auto report = lanczos.run(problem.source, p);
    EXPECT_TRUE(report.converged()) << name_of(report.reason);
    EXPECT_EQ(report.values.size(), 2u);
    Bits bits{test::fingerprint(lanczos.vector(1), grid), static_cast<std::uint64_t>(report.applications)};
    for (const auto* numbers : {&report.values, &report.bounds})
      for (const double number : *numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
    return bits;
  };
  for (const Location location : test::locations())
    for (const int degree : {0, 10}) {
      const Bits one = test::from_first_rank([&] {
        return run(ProcessGrid(MPI_COMM_SELF, {1, 1, 1, 1}), location, 0, degree);
      });
      int visited = 0;
      test::for_some_geometries(extents,
                                [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                                  const std::uint32_t forced = geometry->decomposition().forced;
                                  if (where != location) return;
                                  if (test::world_size() > 2 && (forced == 0) != (degree == 0))
                                    return;  // many grids
                                  if (test::world_size() > 1 && degree == 0 && ++visited % 2 == 0)
                                    return;  // the slow ones
                                  EXPECT_EQ(run(grid, where, forced, degree), one);
                                });
    }
}

}  // namespace
}  // namespace plaq

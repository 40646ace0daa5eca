// Refusals of staggered operators.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/error_of.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/staggered.hpp"

namespace plaq {
namespace {

// Three slices must fit into the next rank.
TEST(ImprovedStaggered, TooFewSlicesAreOneClearError) {
  const Extents extents{4, 2, 4, 12};  // split over 1, 2, 3, 4 or 8 ranks
  const auto p = test::make_staggered(extents, true);
  int refused = 0;
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    const auto make = [&] { test::make_hopping(p, {grid, g, {}, Queue(location)}); };
    if (test::fits(p, *g)) {
      EXPECT_NO_THROW(make());
      return;
    }
    ++refused;
    test::expect_error(ErrorKind::job_file, "at least 4 slices", make);
  });
  EXPECT_GT(refused, 0);
}

// Links that are not numbers or not of SU(3), and a complement without a mass.
TEST(Staggered, WrongInputIsRefused) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto g = self.geometry({4, 4, 4, 4});
  for (const Location location : test::locations()) {
    const auto make = [&](const test::StaggeredProblem& p, const LinkStorage& storage) {
      return test::make_hopping(p, {self, g, storage, Queue(location)});
    };
    auto p = test::make_staggered({4, 4, 4, 4}, true);
    p.links.near.link[17][2](1, 1) = std::nan("");
    EXPECT_THROW(make(p, {Precision::half_precision, 18}), Error);
    p = test::make_staggered({4, 4, 4, 4}, true);
    p.links.far.link[17][2](1, 1) *= 1.1;
    EXPECT_THROW(make(p, {Precision::single_precision, 12}), Error);
    test::set_mass(p, 0);
    EXPECT_THROW(StaggeredSchur(make(p, {}), 0, 1), Error);
  }
}

}  // namespace
}  // namespace plaq

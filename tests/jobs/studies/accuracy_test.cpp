// The curves of Clark et al. 2010, Fig. 6, of every storage: bounded so tightly that a lost bit or a wrong
// rounding shows.
#include "jobs/rates/accuracy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/grids.hpp"

namespace plaq::jobs {
namespace {

// epsilon from 1e-18 on, 40 a decade.
std::vector<double> many_epsilons() {
  std::vector<double> epsilons;
  for (int k = 0; k < 18 * 40; ++k) epsilons.push_back(std::pow(10.0, -18 + k / 40.0));
  return epsilons;
}
// The largest epsilon by which at least `proportion` of the components are off; 0 if they are not.
double off_by(const AccuracyCurve& curve, const std::vector<double>& epsilons, double proportion) {
  double found = 0;
  for (std::size_t i = 0; i < epsilons.size(); ++i)
    if (curve.proportions[i] >= proportion) found = epsilons[i];
  return found;
}

// By how much a half and a hundredth of the components are off, and the largest deviation of all.
struct Expected {
  Precision precision;
  int reals;
  double half, hundredth, largest;
};
constexpr auto wide = Precision::double_precision, single = Precision::single_precision,
               half = Precision::half_precision;
constexpr Expected expected[] = {
    {wide, 12, 0, 2.1e-16, 2.3e-16},       {wide, 8, 1.06e-16, 6.0e-16, 2.7e-15},
    {single, 18, 1.58e-8, 7.1e-8, 1.4e-7}, {single, 12, 1.68e-8, 7.1e-8, 1.4e-7},
    {single, 8, 2.51e-8, 1.1e-7, 5.6e-7},  {half, 18, 9.4e-6, 3.16e-5, 4.7e-5},
    {half, 12, 9.4e-6, 3.16e-5, 5.2e-5},   {half, 8, 1.12e-5, 4.5e-5, 1.7e-4},
};

// The links are the same on every grid, so that only a GPU's other rounding is allowed for.
TEST(Accuracy, CurvesOfEveryStorage) {
  const Extents extents{8, 8, 8, 8};
  const auto epsilons = many_epsilons();
  test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    if (g->decomposition().forced != 0 && g->decomposition().forced != 15) return;
    const AccuracyProblem problem(grid, g, location, make_host_transport(grid, location));
    const auto exact = problem.curve({wide, 18}, {0, 1e-300});
    EXPECT_EQ(exact.proportions, (std::vector<double>{1, 0}));
    EXPECT_EQ(exact.largest, 0);
    for (const auto& e : expected) {
      SCOPED_TRACE(std::string(name_of(e.precision)) + " " + std::to_string(e.reals));
      const auto curve = problem.curve({e.precision, e.reals}, epsilons);
      EXPECT_TRUE(std::is_sorted(curve.proportions.rbegin(), curve.proportions.rend()));
      EXPECT_EQ(curve.proportions.back(), 0);
      const auto near = [](double found, double wanted, double factor) {
        EXPECT_LE(found, wanted * factor);
        EXPECT_GE(found, wanted / factor);
      };
      near(off_by(curve, epsilons, 0.5), e.half, 1.15);
      near(off_by(curve, epsilons, 0.01), e.hundredth, 1.2);
      near(curve.largest, e.largest, e.reals == 8 ? 2 : 1.3);
      // Its last point is the largest deviation.
      const auto last =
          problem.curve({e.precision, e.reals}, {curve.largest, std::nextafter(curve.largest, 1)});
      EXPECT_GT(last.proportions[0], 0);
      EXPECT_EQ(last.proportions[1], 0);
    }
  });
}

}  // namespace
}  // namespace plaq::jobs

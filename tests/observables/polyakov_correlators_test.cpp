// Correlators of Polyakov lines against sums over pairs of lines, on every process grid.
#include "observables/gauge/polyakov_correlators.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/reference/gauge.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"
#include "tests/support/shared_lattice.hpp"

namespace plaq::polyakov_correlators_test {
namespace {

namespace reference = plaq::reference;

struct Sums {
  int pairs = 0;
  double average = 0, singlet = 0;
};

// By r^2, sums over all pairs of lines.
std::map<int, Sums> by_pairs(const reference::GaugeField& gauge) {
  const auto lines = polyakov_lines(gauge);
  const auto& extents = gauge.lattice.extents;
  const auto place = [&](std::size_t line) {
    const int n = static_cast<int>(line);
    return std::array{n % extents[0], n / extents[0] % extents[1], n / (extents[0] * extents[1])};
  };
  std::map<int, Sums> sums;
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t b = 0; b < lines.size(); ++b) {
      int squared = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const int apart = std::abs(place(a)[k] - place(b)[k]);
        squared += std::min(apart, extents[k] - apart) * std::min(apart, extents[k] - apart);
      }
      Sums& sum = sums[squared];
      ++sum.pairs;
      sum.average += (trace(lines[a]) * std::conj(trace(lines[b]))).real() / 9;
      sum.singlet += trace(lines[a] * dagger(lines[b])).real() / 3;
    }
  return sums;
}

std::vector<double> numbers_of(const PolyakovCorrelators& found) {
  std::vector<double> all = found.average;
  all.insert(all.end(), found.singlet.begin(), found.singlet.end());
  return all;
}

PolyakovCorrelators of(const reference::GaugeField& gauge, const ProcessGrid& grid,
                       const GeometryPtr& geometry, Precision precision, Location location) {
  return polyakov_correlators(test::lattice_on(grid, geometry, location),
                              test::to_plaq(gauge, geometry, precision, location));
}

class PolyakovCorrelatorsOn : public testing::TestWithParam<Extents> {};

TEST_P(PolyakovCorrelatorsOn, AreSumsOverPairsWithTheSameBitsOnAnyGrid) {
  reference::Generator generator(5);
  const auto gauge = reference::random_gauge({GetParam()}, generator);
  if (!test::splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  const auto expected = by_pairs(gauge);
  const int sites = GetParam()[0] * GetParam()[1] * GetParam()[2];
  for (const auto& [precision, tolerance] :
       {std::pair(Precision::double_precision, 1e-14), std::pair(Precision::single_precision, 1e-6)})
    test::for_all_geometries(
        GetParam(), test::same_as_alone(GetParam(), [&, precision = precision, tolerance = tolerance](
                                                        const ProcessGrid& grid, const GeometryPtr& geometry,
                                                        Location location) {
          const auto found = of(gauge, grid, geometry, precision, location);
          EXPECT_EQ(found.r_squared.size(), expected.size());
          std::size_t i = 0;
          for (const auto& [squared, sums] : expected) {
            EXPECT_EQ(found.r_squared[i], squared);
            EXPECT_EQ(found.separations[i] * sites, sums.pairs);
            EXPECT_NEAR(found.average[i], sums.average / sums.pairs, tolerance) << squared;
            EXPECT_NEAR(found.singlet[i], sums.singlet / sums.pairs, tolerance) << squared;
            ++i;
          }
          return numbers_of(found);
        }));
}

INSTANTIATE_TEST_SUITE_P(Extents, PolyakovCorrelatorsOn,
                         testing::Values(Extents{4, 2, 6, 4}, Extents{2, 4, 4, 8}, Extents{10, 4, 2, 2}),
                         [](const auto& info) { return to_string(info.param); });

// |L|^2 at r = 0, and tr 1 / 3 in the singlet; the average is gauge invariant, the singlet is not.
TEST(PolyakovCorrelators, AreOneAtNoDistanceAndInvariantOnAverage) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(8);
  const auto gauge = reference::random_gauge({extents}, generator);
  const auto rotated = transformed(gauge, reference::random_transformation({extents}, generator));
  const auto unit = reference::unit_gauge({extents});
  test::for_all_geometries(extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                             const auto on = [&](const reference::GaugeField& field) {
                               return of(field, grid, geometry, Precision::double_precision, location);
                             };
                             const auto found = on(gauge), turned = on(rotated), free = on(unit);
                             EXPECT_NEAR(found.singlet.front(), 1, 1e-14);
                             double changed = 0;
                             for (std::size_t i = 0; i < found.average.size(); ++i) {
                               EXPECT_NEAR(turned.average[i], found.average[i], 1e-14);
                               changed = std::max(changed, std::abs(turned.singlet[i] - found.singlet[i]));
                               EXPECT_NEAR(free.average[i], 1, 1e-14);
                               EXPECT_NEAR(free.singlet[i], 1, 1e-14);
                             }
                             EXPECT_GT(changed, 1e-3);
                           });
}

}  // namespace
}  // namespace plaq::polyakov_correlators_test

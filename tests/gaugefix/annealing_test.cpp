// The heatbath of simulated annealing: its distribution, its limits, and the same bits on every process grid.
#include "gaugefix/annealing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gaugefix/gauge_fixer.hpp"
#include "tests/reference/gauge_fixing.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

constexpr Gauge gauges[] = {Gauge::landau, Gauge::coulomb, Gauge::maximally_abelian};
constexpr Precision wide = Precision::double_precision;

// Moments of n = (h0^2 - h1^2 - h2^2, 2 h0 h1, 2 h0 h2) along and across f: of a density ~ exp(a cos) they
// are coth a - 1/a, 1 - 2 (coth a - 1/a)/a, and 0.
TEST(Annealing, DrawsDirectionsWithTheirProbability) {
  constexpr int draws = 200000;
  for (const double length : {0.0, 1e-3, 0.7, 5.0, 300.0}) {
    for (const auto& axis :
         {std::array{1.0, 0.0, 0.0}, std::array{-0.6, 0.0, 0.8}, std::array{0.0, -1.0, 0.0}}) {
      const double f[4] = {length * axis[0] / 2, length * axis[1] / 2, length * axis[2] / 2, 0};
      double mean = 0, square = 0, across = 0;
      for (int i = 0; i < draws; ++i) {
        const RandomStream stream{3, static_cast<std::uint64_t>(i), 0, Purpose::test};
        const auto h = draw_direction(f, 2, stream);
        const double n[3] = {h.a[0] * h.a[0] - h.a[1] * h.a[1] - h.a[2] * h.a[2], 2 * h.a[0] * h.a[1],
                             2 * h.a[0] * h.a[2]};
        ASSERT_NEAR(h.a[0] * h.a[0] + h.a[1] * h.a[1] + h.a[2] * h.a[2], 1, 1e-12);
        ASSERT_EQ(h.a[3], 0);
        const auto& along = length == 0 ? std::array{1.0, 0.0, 0.0} : axis;
        const double cosine = n[0] * along[0] + n[1] * along[1] + n[2] * along[2];
        mean += cosine;
        square += cosine * cosine;
        across += along[1] != 0 ? n[2] : n[1];
      }
      const double a = length;
      const double expected = a < 0.01 ? a / 3 : 1 / std::tanh(a) - 1 / a;
      const double expected_square = a < 0.01 ? 1.0 / 3 : 1 - 2 * expected / a;
      const double error = 5 / std::sqrt(static_cast<double>(draws));
      EXPECT_NEAR(mean / draws, expected, error * std::sqrt(expected_square - expected * expected) + 1e-12)
          << a;
      EXPECT_NEAR(square / draws, expected_square, error) << a;
      EXPECT_NEAR(across / draws, 0, error) << a;
    }
  }
}

// Without temperature it is relaxation, at a high one nothing is left of the functional.
TEST(Annealing, HasBothLimits) {
  const Extents extents{4, 4, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  reference::Generator generator(5);
  const auto links = reference::weak_gauge({extents}, generator, 0.4);
  for (const Gauge kind : gauges)
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const Field gauge = test::to_plaq(links, g, wide, location);
      const auto fixer = [&] {
        return GaugeFixer(grid, gauge, kind, FixingPrecision::full, 1, Queue(location),
                          make_host_transport(grid, location), 18);
      };
      GaugeFixer cold = fixer(), relaxed = fixer(), hot = fixer();
      for (std::uint32_t n = 0; n < 2; ++n) {
        cold.sweep(HeatbathStep{1e-12, 9, n});
        relaxed.sweep(RelaxationStep::overrelaxation(1));
        hot.sweep(HeatbathStep{1e6, 9, n});
      }
      const double best = relaxed.quality().front().functional;
      EXPECT_NEAR(cold.quality().front().functional, best, 1e-9);
      // 2048 sites: random diagonals have |U_ii|^2 = 1/3 on average, traces 0.
      EXPECT_NEAR(hot.quality().front().functional, kind == Gauge::maximally_abelian ? 1.0 / 3 : 0.0, 0.02);
    });
}

TEST(Annealing, HasTheSameBitsOnEveryGridAloneAndInABatch) {
  const Extents extents{4, 4, 6, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  reference::Generator generator(6);
  const auto links = reference::random_gauge({extents}, generator);
  for (const Gauge kind : gauges)
    for (const auto precision : {FixingPrecision::single, FixingPrecision::mixed, FixingPrecision::full}) {
      std::vector<std::uint64_t> known[2];
      test::for_all_geometries(extents,
                               [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
                                 const Field gauge = test::to_plaq(links, g, wide, location);
                                 const auto run = [&](int copies, std::uint64_t seed) {
                                   GaugeFixer fixer(grid, gauge, kind, precision, copies, Queue(location),
                                                    make_host_transport(grid, location));
                                   fixer.start_at_random(seed);
                                   for (std::uint32_t n = 0; n < 3; ++n) {
                                     fixer.sweep(HeatbathStep{2.0 - 0.5 * n, seed, n});
                                     fixer.sweep(RelaxationStep::microcanonical());
                                   }
                                   fixer.project();
                                   std::vector<std::uint64_t> all;
                                   for (int k = 0; k < copies; ++k)
                                     all.push_back(test::fingerprint(fixer.transformation(k), grid));
                                   return all;
                                 };
                                 const auto together = run(2, 40);
                                 EXPECT_EQ(run(1, 41).front(), together[1]);
                                 auto& first = known[location == Location::device];
                                 if (first.empty()) first = together;
                                 EXPECT_EQ(together, first);
                               });
    }
}

}  // namespace
}  // namespace plaq

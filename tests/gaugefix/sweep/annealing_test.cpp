// The heatbath of simulated annealing: its distribution, its limits, and the same bits on every process grid.
#include "gaugefix/sweep/annealing.hpp"

#include "core/launch/dispatch.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "tests/gaugefix/fixing.hpp"
#include "tests/reference/heatbath_exact.hpp"

namespace plaq {
namespace {

using test::wide;

// Moments of n = (h0^2 - h1^2 - h2^2, 2 h0 h1, 2 h0 h2) along and across f: of a density ~ exp(a cos) they
// are coth a - 1/a, 1 - 2 (coth a - 1/a)/a, and 0.
template <class T>
void expect_directions(double rounding) {
  constexpr int draws = 200000;
  for (const double length : {0.0, 1e-3, 0.7, 5.0, 300.0}) {
    for (const auto& axis :
         {std::array{1.0, 0.0, 0.0}, std::array{-0.6, 0.0, 0.8}, std::array{0.0, -1.0, 0.0}}) {
      const T f[4] = {static_cast<T>(length * axis[0] / 2), static_cast<T>(length * axis[1] / 2),
                      static_cast<T>(length * axis[2] / 2), 0};
      double mean = 0, square = 0, across = 0;
      for (int i = 0; i < draws; ++i) {
        const RandomStream stream{3, static_cast<std::uint64_t>(i), 0, Purpose::test};
        const auto drawn = draw_direction(f, 2, stream);
        const double h[3] = {drawn.a[0], drawn.a[1], drawn.a[2]};
        const double n[3] = {h[0] * h[0] - h[1] * h[1] - h[2] * h[2], 2 * h[0] * h[1], 2 * h[0] * h[2]};
        ASSERT_NEAR(h[0] * h[0] + h[1] * h[1] + h[2] * h[2], 1, rounding);
        ASSERT_EQ(drawn.a[3], 0);
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

TEST(Annealing, DrawsDirectionsWithTheirProbability) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  expect_directions<double>(1e-12);
  expect_directions<float>(1e-6);
}

// exp(-s d) is as far between 1 and exp(-2 s) as the deviate says.
TEST(Annealing, InclinationsInSinglePrecisionHaveTheirProbability) {
  for (const double s : {1e-12, 1e-6, 1e-3, 0.1, 1.0, 10.0, 1000.0, 1e12})
    for (const double u : {0x1p-24, 1e-4, 0.1, 0.5, 0.9, 0.9999, 1 - 0x1p-24}) {
      const double d = draw_inclination(static_cast<float>(s), static_cast<float>(u));
      EXPECT_NEAR(std::expm1(-s * d) / std::expm1(-2 * s), u, 1e-6) << s;
    }
}

// Around even sites everything stays 1: their g are drawn again and again from exp(8 Re tr g / T), in
// maximally Abelian gauge from exp(8 sum |g_ii|^2 / T), independently of each other.
TEST(Annealing, OneSiteHasTheExactDistribution) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto geometry = Geometry::create({{8, 8, 8, 8}});
  double weight = 0, known[2] = {0, 0};  // of the second, by integration over random matrices
  constexpr double temperature = 6;
  reference::Generator generator(4);
  for (int n = 0; n < 400000; ++n) {
    const auto g = reference::random_su3(generator);
    const double f = std::norm(g(0, 0)) + std::norm(g(1, 1)) + std::norm(g(2, 2));
    const double w = std::exp(8 * f / temperature);
    weight += w, known[0] += w * f / 3, known[1] += w * f * f / 9;
  }
  const auto traces = reference::su3_one_link(24 / temperature, 1);
  for (const Location location : test::locations())
    for (const Precision precision : {Precision::single_precision, wide})
      for (const auto functional : {GaugeFunctional::trace, GaugeFunctional::abelian}) {
        const bool abelian = functional == GaugeFunctional::abelian;
        const double mean = abelian ? known[0] / weight : traces.mean,
                     square = abelian ? known[1] / weight : traces.mean_square;
        const Queue queue(location);
        Field links(geometry, gauge_spec(precision, location, 12));
        FieldSpec spec = gauge_frame_spec(precision, location);
        spec.compressed_reals = 12;
        Field g(geometry, spec);
        for (Field* field : {&links, &g}) {
          FieldSpec of_host = field->spec();
          of_host.location = Location::host;
          Field unit(geometry, of_host);
          test::for_stored_sites(*geometry, [&](int parity, int site, int) {
            for (int subfield = 0; subfield < unit.subfields(); ++subfield)
              for (const int r : {0, 8}) set_real(unit, subfield, parity, site, r, 1);
          });
          copy(*field, unit);
        }
        SweepCall call;
        call.links = &links;
        call.g = &g;
        call.functional = functional;
        double q = 0, q2 = 0, count = 0;
        for (std::uint32_t sweep = 0; sweep < 40; ++sweep) {
          const HeatbathStep step{temperature, 17, sweep};
          Field full(geometry, gauge_frame_spec(wide, location));
          dispatch(location, precision, [&](auto kind) {
            using K = decltype(kind);
            using T = typename K::scalar;
            SweepLaunch<typename K::target, T, T, HeatbathStep>::sites(call, step, Region::all, queue);
            TransformationLaunch<typename K::target, T>::expand(full, g, 0, queue);
          });
          queue.synchronize();
          if (sweep < 10) continue;
          const Field host = test::on_host(full);
          for (int s = 0; s < geometry->shape().half_volume; ++s) {
            double value = 0;
            for (const int r : {0, 8, 16}) {
              const double re = get_real(host, 0, 0, s, r), im = get_real(host, 0, 0, s, r + 1);
              value += (abelian ? re * re + im * im : re) / 3;
            }
            q += value, q2 += value * value, count += 1;
          }
        }
        // Sweep after sweep is correlated, for a few sweeps at most: count as if by a factor of four.
        const double variance = square - mean * mean, error = 4 * std::sqrt(4 * variance / count);
        EXPECT_NEAR(q / count, mean, error) << abelian;
        EXPECT_NEAR(q2 / count, square, 3 * error * std::sqrt(square)) << abelian;
      }
}

// Without temperature it is relaxation, at a high one nothing is left of the functional.
TEST(Annealing, HasBothLimits) {
  const Extents extents{4, 4, 4, 8};
  const auto links = test::weak_links(extents, 5, 0.4);
  for (const Gauge kind : test::all_gauges)
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const Field gauge = test::to_plaq(links, g, wide, location);
      const auto fixer = [&] { return test::make_fixer(grid, gauge, kind, FixingPrecision::full); };
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
  reference::Generator generator(6);
  const auto links = reference::random_gauge({extents}, generator);
  for (const Gauge kind : test::all_gauges)
    for (const auto precision : test::all_fixing_precisions) {
      test::FirstFound<std::vector<std::uint64_t>> known;
      const auto visit = [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
        const Field gauge = test::to_plaq(links, g, wide, location);
        const auto run = [&](int copies, std::uint64_t seed) {
          GaugeFixer fixer = test::make_fixer(grid, gauge, kind, precision, copies);
          fixer.start_at_random(seed);
          for (std::uint32_t n = 0; n < 3; ++n) {
            fixer.sweep(HeatbathStep{2.0 - 0.5 * n, seed, n});
            fixer.sweep(RelaxationStep::microcanonical());
          }
          fixer.project();
          return test::fingerprints(fixer, copies, grid);
        };
        const auto together = run(2, 40);
        EXPECT_EQ(run(1, 41).front(), together[1]);
        EXPECT_EQ(together, known.at(location, together));
      };
      test::for_all_geometries(extents, visit);
    }
}

}  // namespace
}  // namespace plaq

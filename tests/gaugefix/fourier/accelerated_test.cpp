// Accelerated gauge fixing: its gradient and curvature against differences of the functional, its
// preconditioner against a slow sum, where it ends against where overrelaxation does.
#include "gaugefix/fourier/accelerated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "gaugefix/fourier/ascent_kernels.hpp"
#include "tests/reference/gauge.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

constexpr Gauge gauges[] = {Gauge::landau, Gauge::coulomb};
constexpr Precision wide = Precision::double_precision;

const char* name_of(Gauge gauge) { return gauge == Gauge::landau ? "Landau" : "Coulomb"; }
std::uint32_t directions_of(Gauge gauge) { return gauge == Gauge::landau ? 0xfu : 0x7u; }

GaugeFixer make_fixer(const ProcessGrid& grid, const Field& gauge, Gauge kind, FixingPrecision precision,
                      Location location, int copies = 1) {
  return GaugeFixer(grid, gauge, kind, precision, copies, Queue(location),
                    make_host_transport(grid, location));
}

// A number of its own for each site and component, between -1 and 1.
float number(int site, int component) {
  const double x = std::sin(12.9898 * site + 78.233 * component) * 43758.5453;
  return static_cast<float>(2 * (x - std::floor(x)) - 1);
}

// Calls visit(global site, component pair of all copies, element of `layout`).
template <class Visit>
void for_elements(const Geometry& geometry, const RowsLayout& layout, Visit&& visit) {
  test::for_stored_sites(geometry, [&](int parity, int s, int site) {
    const Coordinates c = geometry.shape().coordinates(parity, s);
    int at = c.x[0];
    for (int mu = 1; mu < 4; ++mu) at += layout.stride[mu] * c.x[mu];
    for (int k = 0; k < 4 * layout.copies; ++k) visit(site, k, static_cast<std::size_t>(at + layout.row * k));
  });
}

std::vector<ComplexPair> numbered(const Geometry& geometry, const RowsLayout& layout) {
  std::vector<ComplexPair> field(static_cast<std::size_t>(layout.total));
  for_elements(geometry, layout, [&](int site, int k, std::size_t at) {
    field[at] = {number(site, 2 * k), number(site, 2 * k + 1)};
  });
  return field;
}

Buffer moved(const std::vector<ComplexPair>& field, Location location) {
  Buffer buffer(location, field.size() * sizeof(ComplexPair));
  copy_bytes(buffer.data(), location, field.data(), Location::host, buffer.bytes());
  return buffer;
}

// (P r)(x), component k, by definition.
std::complex<double> reference_inverse(const Extents& n, std::uint32_t directions, int site, int k) {
  const auto coordinates = [&](int s) {
    Extents x;
    for (std::size_t mu = 0; mu < 4; ++mu) x[mu] = s % n[mu], s /= n[mu];
    return x;
  };
  const int volume = n[0] * n[1] * n[2] * n[3];
  const Extents x = coordinates(site);
  double norm = 1, most = 0;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if ((directions >> mu & 1u) != 0) norm *= n[mu], most += 4;
  std::complex<double> sum = 0;
  for (int p_number = 0; p_number < volume; ++p_number) {
    const Extents p = coordinates(p_number);
    double square = 0;
    bool meant = true;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      if ((directions >> mu & 1u) != 0) {
        square += 4 * std::pow(std::sin(std::numbers::pi * p[mu] / n[mu]), 2);
      } else {
        meant = meant && p[mu] == 0;
      }
    }
    if (!meant || square == 0) continue;
    for (int y_number = 0; y_number < volume; ++y_number) {
      const Extents y = coordinates(y_number);
      double phase = 0;
      bool same = true;
      for (std::size_t mu = 0; mu < 4; ++mu) {
        if ((directions >> mu & 1u) != 0) {
          phase += 2 * std::numbers::pi * p[mu] * (x[mu] - y[mu]) / n[mu];
        } else {
          same = same && x[mu] == y[mu];
        }
      }
      if (same)
        sum += most / square / norm * std::polar(1.0, phase) *
               std::complex<double>(number(y_number, 2 * k), number(y_number, 2 * k + 1));
    }
  }
  return sum;
}

TEST(Acceleration, InvertsTheLaplacian) {
  const Extents extents{6, 4, 2, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  for (const Gauge kind : gauges) {
    SCOPED_TRACE(name_of(kind));
    const int volume = 6 * 4 * 2 * 8, copies = 2;
    std::vector<std::complex<double>> expected;
    for (int site = 0; site < volume; site += 7)
      for (int k : {0, 3, 6}) expected.push_back(reference_inverse(extents, directions_of(kind), site, k));
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const Queue queue(location);
      InverseLaplacian laplacian(grid, *g, directions_of(kind), copies, location);
      auto field = numbered(*g, laplacian.layout());
      const Buffer from = moved(field, location), to = moved(field, location);
      laplacian.apply(to.as<ComplexPair>(), from.as<ComplexPair>(), queue);
      queue.synchronize();
      copy_bytes(field.data(), Location::host, to.data(), location, to.bytes());
      double most = 0;
      for_elements(*g, laplacian.layout(), [&](int site, int k, std::size_t at) {
        if (site % 7 != 0 || k % 3 != 0 || k > 6) return;
        const auto value = expected[static_cast<std::size_t>(3 * (site / 7) + k / 3)];
        most = std::max(most, std::abs(value - std::complex<double>(field[at].re, field[at].im)));
      });
      EXPECT_LT(most, 2e-5);
    });
  }
}

// In each problem the functional along exp(h z) g has the slope <r, z> and the second derivative q(z, z).
TEST(Acceleration, KnowsTheFunctionalsDerivatives) {
  const Extents extents{4, 6, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  reference::Generator generator(5);
  const auto links = reference::weak_gauge({extents}, generator, 0.4);
  for (const Gauge kind : gauges)
    for (const auto precision : {FixingPrecision::full, FixingPrecision::mixed})
      for (const Location location : test::locations()) {
        SCOPED_TRACE(name_of(kind));
        const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
        const auto g = grid.geometry(extents);
        const Field gauge = test::to_plaq(links, g, wide, location);
        GaugeFixer fixer = make_fixer(grid, gauge, kind, precision, location);
        fixer.start_at_random(3);
        for (int n = 0; n < 2; ++n) fixer.sweep(RelaxationStep::overrelaxation(1));
        if (fixer.quality_call(0).halo->exchanges()) continue;  // DoesTheSameOnEveryGrid is for these
        const bool sliced = kind == Gauge::coulomb;
        AscentCall call;
        call.rows = RowsLayout(*g, 1, 0xe);
        call.slices = sliced ? extents[3] : 1;
        const auto random = numbered(*g, call.rows);
        const Buffer z = moved(random, location), r = moved(random, location),
                     before = moved(random, location), d = moved(random, location);
        call.z = z.as<ComplexPair>(), call.r = r.as<ComplexPair>();
        call.before = before.as<ComplexPair>(), call.d = d.as<ComplexPair>();
        SumBuffer sums(location, 6 * call.slices);
        const Queue& queue = fixer.queue();
        sums.clear(queue, sums.capacity());
        const auto step = [&](double weight) {
          std::vector<StepWeights> all(static_cast<std::size_t>(call.slices),
                                       {static_cast<float>(weight), 0});
          const Buffer weights(location, all.size() * sizeof(StepWeights));
          copy_bytes(weights.data(), location, all.data(), Location::host, weights.bytes());
          dispatch(location, wide, [&](auto k) {
            AscentStepLaunch<typename decltype(k)::target, double>::step(*fixer.quality_call(0).g, call,
                                                              weights.as<StepWeights>(), queue);
          });
          queue.synchronize();
        };
        dispatch(location, wide, [&](auto k) {
          using Target = typename decltype(k)::target;
          if (precision == FixingPrecision::full) {
            AscentLaunch<Target, double, double>::gradient(fixer.quality_call(0), call, true, sums, queue);
            AscentLaunch<Target, double, double>::curvature(fixer.quality_call(0), call, sums, 3 * call.slices,
                                                     queue);
          } else {
            AscentLaunch<Target, float, double>::gradient(fixer.quality_call(0), call, true, sums, queue);
            AscentLaunch<Target, float, double>::curvature(fixer.quality_call(0), call, sums, 3 * call.slices,
                                                    queue);
          }
        });
        const auto found = sums.fetch(queue, sums.capacity());
        const double h = 1.0 / 256, links_of_a_problem = 3.0 * (sliced ? 3 * 4 * 6 * 2 : 4 * 4 * 6 * 2 * 4);
        const auto functionals = [&] {
          const auto quality = fixer.quality().front();
          return sliced ? quality.slice_functional : std::vector<double>{quality.functional};
        };
        const auto here = functionals();
        step(h);
        const auto ahead = functionals();
        step(-2 * h);
        const auto behind = functionals();
        for (std::size_t p = 0; p < here.size(); ++p) {
          const auto sum = [&](std::size_t k) { return found[k].round(); };
          const std::size_t second = 3 * (here.size() + p);
          EXPECT_NEAR(0.5 * sum(3 * p) / links_of_a_problem, here[p], 1e-12);
          const double slope = links_of_a_problem * (ahead[p] - behind[p]) / (2 * h),
                       bend = links_of_a_problem * (ahead[p] - 2 * here[p] + behind[p]) / (h * h);
          EXPECT_NEAR(sum(3 * p + 2), slope, 1e-3 * std::abs(bend));
          EXPECT_NEAR(sum(3 * p + 2), sum(second), 1e-4);  // d was z then
          EXPECT_NEAR(sum(second + 2), bend, 1e-3 * std::abs(bend));
        }
      }
}

TEST(Acceleration, EndsWhereOverrelaxationDoes) {
  const Extents extents{4, 4, 4, 8};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  reference::Generator generator(7);
  const auto links = reference::weak_gauge({extents}, generator, 0.2);
  const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).back());
  const auto g = grid.geometry(extents);
  struct Way {
    bool fourier, conjugate;
    int most;
  };
  for (const Location location : test::locations())
    for (const Gauge kind : gauges) {
      SCOPED_TRACE(name_of(kind));
      const Field gauge = test::to_plaq(links, g, wide, location);
      const auto sweep = [](GaugeFixer& fixer, int sweeps) {
        for (int n = 0; n < sweeps; ++n) fixer.sweep(RelaxationStep::overrelaxation(1.6));
      };
      GaugeFixer swept = make_fixer(grid, gauge, kind, FixingPrecision::full, location);
      sweep(swept, 30);
      const double start = swept.quality().front().functional;
      sweep(swept, 1500);
      const double expected = swept.quality().front().functional;
      for (const Way& way : {Way{true, true, 200}, Way{false, true, 1000}, Way{true, false, 1000}}) {
        GaugeFixer fixer = make_fixer(grid, gauge, kind, FixingPrecision::full, location);
        sweep(fixer, 30);
        AcceleratedFixing acceleration(fixer, make_host_transport(grid, location),
                                       {way.fourier, way.conjugate});
        const auto report = acceleration.run(1e-14, way.most);
        const auto quality = fixer.quality().front();
        EXPECT_TRUE(report.converged) << report.worst_theta;
        EXPECT_LT(kind == Gauge::coulomb ? quality.worst_slice : quality.theta, 1.1e-14);
        EXPECT_GE(quality.functional, start);
        EXPECT_NEAR(quality.functional, expected, 1e-10);
        if (test::world_rank() == 0)
          std::printf("%s fourier %d conjugate %d: %d iterations\n", name_of(kind), way.fourier,
                      way.conjugate, report.iterations);
      }
      for (const auto& [precision, theta] :
           {std::pair{FixingPrecision::mixed, 1e-14}, {FixingPrecision::single, 1e-10}}) {
        GaugeFixer fixer = make_fixer(grid, gauge, kind, precision, location);
        sweep(fixer, 30);
        AcceleratedFixing acceleration(fixer, make_host_transport(grid, location));
        EXPECT_TRUE(acceleration.run(theta, 200).converged);
        EXPECT_NEAR(fixer.quality().front().functional, expected, 1e-6);
      }
    }
}

// From a random start, through what is not concave.
TEST(Acceleration, ClimbsFromAnywhere) {
  const Extents extents{4, 4, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  reference::Generator generator(9);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
  const auto g = grid.geometry(extents);
  for (const Location location : test::locations())
    for (const Gauge kind : gauges)
      for (const bool fourier : {true, false}) {
        SCOPED_TRACE(name_of(kind));
        const Field gauge = test::to_plaq(links, g, wide, location);
        GaugeFixer fixer = make_fixer(grid, gauge, kind, FixingPrecision::full, location, 3);
        fixer.start_at_random(21);
        AcceleratedFixing acceleration(fixer, make_host_transport(grid, location), {fourier});
        auto last = fixer.quality();
        for (int n = 0; n < 60; ++n) {
          const auto report = acceleration.run(1e-13, 20);
          const auto now = fixer.quality();
          for (std::size_t k = 0; k < now.size(); ++k)
            EXPECT_GE(now[k].functional, last[k].functional - 1e-10);
          last = now;
          if (report.converged) break;
        }
        for (const auto& quality : last)
          EXPECT_LT(kind == Gauge::coulomb ? quality.worst_slice : quality.theta, 1.1e-13);
      }
}

TEST(Acceleration, DoesTheSameOnEveryGrid) {
  const Extents extents{4, 6, 2, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  reference::Generator generator(6);
  const auto links = reference::weak_gauge({extents}, generator, 0.2);
  for (const Gauge kind : gauges)
    for (const auto precision : {FixingPrecision::single, FixingPrecision::mixed, FixingPrecision::full})
      for (const bool fourier : {false, true}) {
        std::vector<std::uint64_t> known[2];
        std::vector<double> functionals[2];
        test::for_all_geometries(
            extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
              const Field gauge = test::to_plaq(links, g, wide, location);
              const auto run = [&](int copies, std::uint64_t seed, std::vector<double>& functional) {
                GaugeFixer fixer = make_fixer(grid, gauge, kind, precision, location, copies);
                fixer.start_at_random(seed);
                for (int n = 0; n < 10; ++n) fixer.sweep(RelaxationStep::overrelaxation(1.5));
                AcceleratedFixing(fixer, make_host_transport(grid, location), {fourier}).run(1e-12, 6);
                std::vector<std::uint64_t> bits;
                for (int k = 0; k < copies; ++k)
                  bits.push_back(test::fingerprint(fixer.transformation(k), grid));
                for (const auto& quality : fixer.quality()) functional.push_back(quality.functional);
                return bits;
              };
              std::vector<double> alone, both, again;
              const auto together = run(2, 40, both), second = run(1, 41, alone);
              EXPECT_EQ(run(2, 40, again), together);
              EXPECT_NEAR(alone.front(), both[1], 2e-5);
              auto& first = known[location == Location::device];
              auto& values = functionals[location == Location::device];
              if (first.empty()) first = together, values = both;
              for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(both[k], values[k], 2e-5);
              // Fourier transforms take directions in an order that depends on the grid.
              if (!fourier) {
                EXPECT_EQ(together, first);
              }
              if (fourier && location == Location::device) return;
              EXPECT_EQ(second.front(), together[1]);
            });
      }
}

TEST(Acceleration, RefusesMaximallyAbelianGauge) {
  const Extents extents{4, 4, 4, 4};
  if (!test::splits_over_the_ranks(extents)) GTEST_SKIP() << "no process grid for so many ranks";
  const ProcessGrid grid(MPI_COMM_WORLD, allowed_grids(test::world_size(), extents).front());
  const Field gauge =
      test::to_plaq(reference::unit_gauge({extents}), grid.geometry(extents), wide, Location::host);
  GaugeFixer fixer = make_fixer(grid, gauge, Gauge::maximally_abelian, FixingPrecision::full, Location::host);
  EXPECT_THROW(AcceleratedFixing(fixer, make_host_transport(grid, Location::host)), Error);
}

}  // namespace
}  // namespace plaq

// Accelerated gauge fixing: its gradient and curvature against differences of the functional, its
// preconditioner against a slow sum, where it ends against where overrelaxation does.
#include "gaugefix/fourier/accelerated.hpp"

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "gaugefix/fourier/ascent_kernels.hpp"
#include "tests/gaugefix/fixing.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq {
namespace {

using test::make_fixer;
using test::OneGrid;
using test::weak_links;
using test::wide;

constexpr Gauge gauges[] = {Gauge::landau, Gauge::coulomb};

std::uint32_t directions_of(Gauge gauge) { return gauge == Gauge::landau ? 0xfu : 0x7u; }

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

constexpr int some_components[] = {0, 3, 6};

// (P r)(x) in some components, by definition: in the given directions, on each slice of the others by itself.
std::array<std::complex<double>, 3> reference_inverse(const reference::Lattice& lattice,
                                                      std::uint32_t directions, int site) {
  const auto in = [&](std::size_t mu) { return (directions >> mu & 1u) != 0; };
  const auto x = lattice.coordinates(site);
  double norm = 1, most = 0;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (in(mu)) norm *= lattice.extents[mu], most += 4;
  std::array<std::complex<double>, 3> sum{};
  for (int mode = 0; mode < lattice.volume(); ++mode) {
    const auto p = lattice.momentum({1, 1, 1, 1}, lattice.coordinates(mode));
    double square = 0;
    bool meant = true;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      square += in(mu) ? 4 * std::pow(std::sin(p[mu] / 2), 2) : 0;
      meant = meant && (in(mu) || p[mu] == 0);
    }
    if (!meant || square == 0) continue;
    for (int other = 0; other < lattice.volume(); ++other) {
      const auto y = lattice.coordinates(other);
      bool same = true;
      double angle = 0;
      for (std::size_t mu = 0; mu < 4; ++mu) {
        same = same && (in(mu) || x[mu] == y[mu]);
        angle += p[mu] * (x[mu] - y[mu]);
      }
      if (!same) continue;
      const auto weight = std::polar(most / square / norm, angle);
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += weight * std::complex<double>(number(other, 2 * some_components[k]),
                                                number(other, 2 * some_components[k] + 1));
    }
  }
  return sum;
}

TEST(Acceleration, InvertsTheLaplacian) {
  const Extents extents{6, 4, 2, 8};
  for (const Gauge kind : gauges) {
    SCOPED_TRACE(name_of(kind));
    const int volume = 6 * 4 * 2 * 8, copies = 2;
    const auto expected = test::from_first_rank([&] {
      std::vector<std::array<std::complex<double>, 3>> all;
      for (int site = 0; site < volume; site += 7)
        all.push_back(reference_inverse({extents}, directions_of(kind), site));
      return all;
    });
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
        const auto value = expected[site / 7][k / 3];
        most = std::max(most, std::abs(value - std::complex<double>(field[at].re, field[at].im)));
      });
      EXPECT_LT(most, 2e-5);
    });
  }
}

// In each problem the functional along exp(h z) g has the slope <r, z> and the second derivative q(z, z).
TEST(Acceleration, KnowsTheFunctionalsDerivatives) {
  const Extents extents{4, 6, 2, 4};
  const auto links = weak_links(extents, 5, 0.4);
  for (const Gauge kind : gauges)
    for (const auto precision : {FixingPrecision::full, FixingPrecision::mixed})
      for (const Location location : test::locations()) {
        SCOPED_TRACE(name_of(kind));
        const auto [grid, g] = OneGrid(extents);
        const Field gauge = test::to_plaq(links, g, wide, location);
        GaugeFixer fixer = make_fixer(grid, gauge, kind, precision);
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
          const auto launch = [&](auto links_in) {
            using Launch = AscentLaunch<typename decltype(k)::target, decltype(links_in), double>;
            Launch::gradient(fixer.quality_call(0), call, true, sums, queue);
            Launch::curvature(fixer.quality_call(0), call, sums, 3 * call.slices, queue);
          };
          precision == FixingPrecision::full ? launch(double()) : launch(float());
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
  const auto links = weak_links(extents, 7, 0.2);
  const auto [grid, g] = OneGrid(extents, allowed_grids(test::world_size(), extents).back());
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
      GaugeFixer swept = make_fixer(grid, gauge, kind, FixingPrecision::full);
      sweep(swept, 30);
      const double start = swept.quality().front().functional;
      sweep(swept, 1500);
      const double expected = swept.quality().front().functional;
      for (const Way& way : {Way{true, true, 200}, Way{false, true, 1000}, Way{true, false, 1000}}) {
        GaugeFixer fixer = make_fixer(grid, gauge, kind, FixingPrecision::full);
        sweep(fixer, 30);
        AcceleratedFixing acceleration(fixer, make_host_transport(grid, location),
                                       {way.fourier, way.conjugate});
        const auto report = acceleration.run(1e-14, way.most);
        const auto quality = fixer.quality().front();
        EXPECT_TRUE(report.converged) << report.worst_theta;
        EXPECT_LT(test::violation(kind, quality), 1.1e-14);
        EXPECT_GE(quality.functional, start);
        EXPECT_NEAR(quality.functional, expected, 1e-10);
        if (test::world_rank() == 0)
          std::printf("%s fourier %d conjugate %d: %d iterations\n", name_of(kind), way.fourier,
                      way.conjugate, report.iterations);
      }
      for (const auto& [precision, theta] :
           {std::pair{FixingPrecision::mixed, 1e-14}, {FixingPrecision::single, 1e-10}}) {
        GaugeFixer fixer = make_fixer(grid, gauge, kind, precision);
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
  const auto links = weak_links(extents, 9, 0.3);
  const auto [grid, g] = OneGrid(extents);
  for (const Location location : test::locations())
    for (const Gauge kind : gauges)
      for (const bool fourier : {true, false}) {
        SCOPED_TRACE(name_of(kind));
        const Field gauge = test::to_plaq(links, g, wide, location);
        GaugeFixer fixer = make_fixer(grid, gauge, kind, FixingPrecision::full, 3);
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
        for (const auto& quality : last) EXPECT_LT(test::violation(kind, quality), 1.1e-13);
      }
}

TEST(Acceleration, DoesTheSameOnEveryGrid) {
  const Extents extents{4, 6, 2, 4};
  const auto links = weak_links(extents, 6, 0.2);
  test::Turns turns(3);  // several ranks: both gauges, with and without Fourier
  for (const Gauge kind : gauges)
    for (const auto precision : test::all_fixing_precisions)
      for (const bool fourier : {false, true}) {
        if (!turns.mine()) continue;
        test::FirstFound<std::vector<std::uint64_t>> known;
        test::FirstFound<std::vector<double>> functionals;
        test::for_all_geometries(
            extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
              const Field gauge = test::to_plaq(links, g, wide, location);
              const auto run = [&](int copies, std::uint64_t seed, std::vector<double>& functional) {
                GaugeFixer fixer = make_fixer(grid, gauge, kind, precision, copies);
                fixer.start_at_random(seed);
                for (int n = 0; n < 10; ++n) fixer.sweep(RelaxationStep::overrelaxation(1.5));
                AcceleratedFixing(fixer, make_host_transport(grid, location), {fourier}).run(1e-12, 6);
                for (const auto& quality : fixer.quality()) functional.push_back(quality.functional);
                return test::fingerprints(fixer, copies, grid);
              };
              std::vector<double> alone, both, again;
              const auto together = run(2, 40, both), second = run(1, 41, alone);
              EXPECT_EQ(run(2, 40, again), together);
              EXPECT_NEAR(alone.front(), both[1], 2e-5);
              const auto& first = known.at(location, together);
              const auto& values = functionals.at(location, both);
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
  const auto [grid, g] = OneGrid(extents);
  const Field gauge = test::to_plaq(reference::unit_gauge({extents}), g, wide, Location::host);
  GaugeFixer fixer = make_fixer(grid, gauge, Gauge::maximally_abelian, FixingPrecision::full);
  EXPECT_THROW(AcceleratedFixing(fixer, make_host_transport(grid, Location::host)), Error);
}

}  // namespace
}  // namespace plaq

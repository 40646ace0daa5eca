// Sweeps of gauge fixing against sweeps over the links themselves, the same bits on every process grid, and
// what must hold without any other program.

#include "io/gauge/gauge_file.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/gaugefix/fixing.hpp"
#include "tests/reference/gauge_fixing.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/links.hpp"

namespace plaq {
namespace {

using test::make_fixer;
using test::OneGrid;
using test::weak_links;
using test::wide;

constexpr auto& gauges = test::all_gauges;
constexpr auto full = FixingPrecision::full;

reference::FixedGauge same(Gauge gauge) {
  return gauge == Gauge::landau    ? reference::FixedGauge::landau
         : gauge == Gauge::coulomb ? reference::FixedGauge::coulomb
                                   : reference::FixedGauge::maximally_abelian;
}

constexpr std::uint64_t seed = 77;

struct Update {
  const char* name;
  double omega, reflect;
  RelaxationStep step(std::uint32_t n) const { return {omega, reflect, seed, n}; }
  void sweep(reference::GaugeField& links, Gauge gauge, std::uint32_t n) const {
    reference::fixing_sweep(links, same(gauge), omega, [&](int site, int subgroup) {
      const RandomStream stream{seed, static_cast<std::uint64_t>(site),    n, Purpose::gauge_update,
                                0,    static_cast<std::uint32_t>(subgroup)};
      return stream.draw(0).uniform(0) < reflect;
    });
  }
};
constexpr Update updates[] = {
    {"relaxation", 1, 0}, {"overrelaxation", 1.7, 0}, {"microcanonical", 1, 1}, {"stochastic", 1, 0.4}};

struct Accuracy {
  FixingPrecision precision;
  double bound;
};
constexpr Accuracy accuracies[] = {
    {FixingPrecision::full, 1e-12}, {FixingPrecision::mixed, 3e-5}, {FixingPrecision::single, 1e-4}};

void expect_quality(const GaugeQuality& found, const reference::FixingQuality& expected, double bound) {
  EXPECT_NEAR(found.functional, expected.functional, bound);
  EXPECT_NEAR(found.theta, expected.theta, 30 * bound * expected.theta);
  ASSERT_EQ(found.slice_theta.size(), expected.slice_theta.size());
  for (std::size_t t = 0; t < found.slice_theta.size(); ++t) {
    EXPECT_NEAR(found.slice_functional[t], expected.slice_functional[t], bound) << "slice " << t;
    EXPECT_NEAR(found.slice_theta[t], expected.slice_theta[t], 30 * bound * expected.slice_theta[t])
        << "slice " << t;
  }
  EXPECT_EQ(found.worst_slice, *std::max_element(found.slice_theta.begin(), found.slice_theta.end()));
}

class GaugeSweeps : public testing::TestWithParam<Extents> {};

TEST_P(GaugeSweeps, DoWhatSweepsOverLinksDoWithTheSameBitsOnEveryGrid) {
  const Extents extents = GetParam();
  const auto links = weak_links(extents, 5, 0.4);
  test::Turns turns(7);
  for (const Gauge kind : gauges) {
    for (const Update& update : updates) {
      auto expected = links;
      for (std::uint32_t n = 0; n < 3; ++n) update.sweep(expected, kind, n);
      const auto quality = reference::fixing_quality(expected, same(kind));
      for (const Accuracy& accuracy : accuracies) {
        if (!turns.mine()) continue;
        SCOPED_TRACE(std::string(name_of(kind)) + ", " + update.name + ", precision " +
                     std::to_string(static_cast<int>(accuracy.precision)));
        test::FirstFound<std::uint64_t> bits;
        test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g,
                                              Location location) {
          Field gauge = test::to_plaq(links, g, wide, location);
          GaugeFixer fixer = make_fixer(grid, gauge, kind, accuracy.precision);
          for (std::uint32_t n = 0; n < 3; ++n) fixer.sweep(update.step(n));
          expect_quality(fixer.quality().front(), quality, accuracy.bound);
          const Field transformation = fixer.transformation(0);
          const std::uint64_t mine = test::fingerprint(transformation, grid);
          EXPECT_EQ(mine, bits.at(location, mine));
          transform_gauge(grid, gauge, transformation, Queue(location), make_host_transport(grid, location));
          EXPECT_LT(test::difference(test::on_host(gauge), expected), accuracy.bound);
        });
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Lattices, GaugeSweeps, testing::Values(Extents{4, 4, 4, 4}, Extents{6, 4, 2, 8}),
                         [](const auto& info) { return to_string(info.param); });

TEST(GaugeFixing, CopiesAreTheSameAloneAndTogether) {
  const Extents extents{4, 4, 4, 6};
  reference::Generator generator(6);
  const auto links = reference::random_gauge({extents}, generator);
  for (const Gauge kind : gauges) {
    test::FirstFound<std::vector<std::uint64_t>> known;
    test::for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const Field gauge = test::to_plaq(links, g, wide, location);
      const auto run = [&](int copies, std::uint64_t seed) {
        GaugeFixer fixer = make_fixer(grid, gauge, kind, full, copies);
        fixer.start_at_random(seed);
        for (std::uint32_t n = 0; n < 4; ++n) fixer.sweep(RelaxationStep::stochastic(0.4, seed, n));
        return test::fingerprints(fixer, copies, grid);
      };
      const auto together = run(3, 100);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(run(1, 100 + static_cast<std::uint64_t>(k)).front(), together[k]);
      EXPECT_NE(together[0], together[1]);
      EXPECT_EQ(together, known.at(location, together));
    });
  }
}

// A maximum is reached from anywhere, the functional never falls on the way, and physics does not change.
TEST(GaugeFixing, ReachesAMaximum) {
  const Extents extents{4, 4, 4, 8};
  const auto links = weak_links(extents, 7, 0.3);
  const double plaquette = reference::average_plaquette(links).all;
  const auto [grid, geometry] = OneGrid(extents, allowed_grids(test::world_size(), extents).back());
  for (const Location location : test::locations()) {
    for (const Gauge kind : gauges) {
      SCOPED_TRACE(name_of(kind));
      Field gauge = test::to_plaq(links, geometry, wide, location);
      GaugeFixer fixer = make_fixer(grid, gauge, kind, full);
      fixer.start_at_random(11);
      double last = -1;
      GaugeQuality now;
      for (int n = 0; n < 4000; ++n) {
        fixer.sweep(RelaxationStep::overrelaxation(n < 20 ? 1.0 : 1.6));
        if (n % 10 != 0 && n >= 20) continue;
        now = fixer.quality().front();
        EXPECT_GE(now.functional, last - 1e-13);
        last = now.functional;
        if (test::violation(kind, now) < 1e-14) break;
      }
      EXPECT_LT(test::violation(kind, now), 1e-14);
      transform_gauge(grid, gauge, fixer.transformation(0), Queue(location),
                      make_host_transport(grid, location));
      GaugeFixer again = make_fixer(grid, gauge, kind, full);
      EXPECT_NEAR(again.quality().front().functional, now.functional, 1e-12);
      EXPECT_LT(again.quality().front().theta, 1e-13);
      const auto fixed = test::gathered_links(test::on_host(gauge));
      EXPECT_NEAR(reference::average_plaquette(fixed).all / plaquette, 1, 1e-12);
    }
  }
}

TEST(GaugeFixing, ALinkThatIsNotSU3IsOneErrorOnAllRanks) {
  const Extents extents{4, 4, 4, 4};
  const auto [grid, geometry] = OneGrid(extents);
  Field gauge = test::to_plaq(reference::unit_gauge({extents}), geometry, wide, Location::host);
  if (grid.rank() == 0) set_real(gauge, 1, 0, 0, 0, 2);
  EXPECT_NE(test::message_of(ErrorKind::input_file, [&] { make_fixer(grid, gauge, Gauge::landau, full); }),
            "")
      << "it was stored as 12 reals";
}

// U = g g^dagger is 1 in Landau gauge, a field of diagonal links diagonal in maximally Abelian gauge; of
// several starts the best one gets there.
TEST(GaugeFixing, FindsWhatIsKnown) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(8);
  const reference::Lattice lattice{extents};
  auto diagonal = reference::unit_gauge(lattice);
  for (auto& site : diagonal.link)
    for (auto& u : site) {
      const auto r = reference::random_su3(generator);
      const double a = std::arg(r(0, 0)), b = std::arg(r(1, 1));
      u(0, 0) = std::polar(1.0, a), u(1, 1) = std::polar(1.0, b), u(2, 2) = std::polar(1.0, -a - b);
    }
  const auto g = reference::random_transformation(lattice, generator);
  const auto [grid, geometry] = OneGrid(extents);
  for (const Location location : test::locations()) {
    for (const Gauge kind : {Gauge::landau, Gauge::maximally_abelian}) {
      const auto links =
          reference::transformed(kind == Gauge::landau ? reference::unit_gauge(lattice) : diagonal, g);
      const Field gauge = test::to_plaq(links, geometry, wide, location);
      GaugeFixer fixer = make_fixer(grid, gauge, kind, full, 6);
      fixer.start_at_random(1);
      for (int n = 0; n < 600; ++n) fixer.sweep(RelaxationStep::overrelaxation(1.5));
      double best = 0;
      for (const auto& quality : fixer.quality()) best = std::max(best, quality.functional);
      EXPECT_NEAR(best, 1, 1e-10) << name_of(kind);
    }
  }
}

// Average of Re tr U / 3 over links in space that another program has reached in Coulomb gauge.
TEST(GaugeFixing, CoulombFunctionalsOfAnotherProgram) {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  if (data == nullptr || *data == '\0') GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  struct Known {
    const char* file;
    Extents extents;
    double functional;
  };
  const Known fields[] = {{"lat.sample.l4444", {4, 4, 4, 4}, 0.89405131},
                          {"lat.sample.l4448.scidac", {4, 4, 4, 8}, 0.86291611},
                          {"purgaug.nersc", {4, 4, 4, 8}, 0.97107043}};
  for (const auto& [file, extents, functional] : fields) {
    if (!test::splits_over_the_ranks(extents)) continue;
    if (test::world_size() > 1 && file != fields[0].file) break;  // one rank checks all
    SCOPED_TRACE(file);
    const auto [grid, geometry] = OneGrid(extents);
    Field gauge(geometry, gauge_spec(wide, Location::host));
    read_gauge_file(std::string(data) + "/gauge/" + file, grid, gauge);
    constexpr int copies = 12;
    GaugeFixer fixer = make_fixer(grid, gauge, Gauge::coulomb, full, copies);
    fixer.start_at_random(3);
    double worst = 1;
    for (int n = 0; n < 3000 && worst > 1e-11; ++n) {
      fixer.sweep(RelaxationStep::overrelaxation(1.6));
      if (n % 50 != 0) continue;
      worst = 0;
      for (const auto& quality : fixer.quality()) worst = std::max(worst, quality.worst_slice);
    }
    double best = 0;
    for (const auto& quality : fixer.quality()) best = std::max(best, quality.functional);
    EXPECT_NEAR(best, functional, 1e-6);
  }
}

}  // namespace
}  // namespace plaq

// Temporal gauge: links and g against the slow reference, on every process grid the same bits; and which
// links a hopping term takes for it.
#include "kernels/gauge/temporal_gauge.hpp"

#include <limits>

#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/support/operators/wilson.hpp"
#include "tests/support/world.hpp"

namespace plaq::temporal_gauge_test {
namespace {

constexpr Precision wide = Precision::double_precision;

double off(const Field& g, const reference::GaugeTransformation& expected) {
  const Field host = test::on_host(g);
  double most = 0;
  test::for_stored_sites(host.geometry(), [&](int parity, int s, int site) {
    most = std::max(most, max_difference(test::link(host, 0, parity, s), expected[site]));
  });
  return most;
}

bool is_one(const reference::ColorMatrix& u) { return u.element == reference::ColorMatrix::unit().element; }

class TemporalGauges : public testing::TestWithParam<Extents> {};

TEST_P(TemporalGauges, MatchTheReferenceWithTheSameBitsOnEveryGrid) {
  const Extents extents = GetParam();
  reference::Generator generator(29);
  const auto gauge = reference::random_gauge({extents}, generator);
  const auto g = reference::temporal_transformation(gauge);
  const auto expected = reference::transformed(gauge, g);
  std::uint64_t links_bits = 0, g_bits = 0;
  {
    const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
    const auto geometry = self.geometry(extents);
    const auto fixed = make_temporal_gauge(self, test::to_plaq(gauge, geometry, wide, Location::host),
                                           Queue(Location::host), nullptr);
    links_bits = test::fingerprint(fixed.links, self);
    g_bits = test::fingerprint(fixed.g, self);
    const auto links = test::to_reference(fixed.links);
    const auto before = reference::average_plaquette(gauge), after = reference::average_plaquette(links);
    EXPECT_NEAR(before.spatial, after.spatial, 1e-13);
    EXPECT_NEAR(before.temporal, after.temporal, 1e-13);
    EXPECT_LT(std::abs(reference::polyakov_loop(gauge) - reference::polyakov_loop(links)), 1e-13);
    const auto violation = reference::unitarity_violation(links);
    EXPECT_LT(violation.unitarity, 1e-14);
    EXPECT_LT(violation.determinant, 1e-14);
    for (int x = 0; x < links.lattice.volume(); ++x)
      EXPECT_EQ(is_one(links.link[x][3]), !links.lattice.wraps_forward(x, 3));
  }
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
        const Field links = test::to_plaq(gauge, geometry, wide, Location::host);
        const TemporalGauge fixed =
            make_temporal_gauge(grid, links, Queue(where), make_host_transport(grid, where));
        EXPECT_LT(test::distance(fixed.links, expected), 1e-14);
        EXPECT_LT(off(fixed.g, g), 1e-7);
        if (where != Location::host) return;
        EXPECT_EQ(test::fingerprint(fixed.links, grid), links_bits);
        EXPECT_EQ(test::fingerprint(fixed.g, grid), g_bits);
      });
}

INSTANTIATE_TEST_SUITE_P(Lattices, TemporalGauges,
                         testing::Values(Extents{4, 4, 4, 8}, Extents{2, 2, 2, 2}, Extents{4, 2, 2, 6},
                                         Extents{6, 2, 10, 4}, Extents{2, 6, 4, 12}),
                         [](const auto& info) { return to_string(info.param); });

// Any time link but those of the last slice, changed by the least there is.
TEST(TemporalGauge, IsSeenByAHoppingTerm) {
  const Extents extents{4, 4, 4, 8};
  const auto p = test::make_wilson(extents, test::Clover::none, test::Gauge::temporal);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const auto& shape : allowed_grids(ranks, extents)) {
    const ProcessGrid grid(MPI_COMM_WORLD, shape);
    const auto geometry = grid.geometry(extents);
    const Field fixed = test::to_plaq(p.gauge, geometry, wide, Location::host);
    const reference::Lattice lattice{extents};
    for (const Location where : test::locations())
      for (const auto& bound : test::wilson_bounds) {
        SCOPED_TRACE(bound.name() + " on " + to_string(shape));
        const auto seen = [&](const Field& gauge) {
          return WilsonHopping(grid, gauge, p.ours, bound.storage(), Queue(where),
                               make_host_transport(grid, where))
              .temporal_gauge();
        };
        const auto changed = [&](int t, int real, double by) {
          Field links(geometry, fixed.spec());
          copy(links, fixed);
          const int there = lattice.index({3, 1, 2, t});
          test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
            if (site == there) set_real(links, 3, parity, s, real, get_real(links, 3, parity, s, real) + by);
          });
          return seen(links);
        };
        EXPECT_EQ(seen(fixed), bound.reals != 8);
        if (bound.reals == 8) continue;
        // What a storage cannot tell from 1 is 1 there.
        const double least = bound.precision == Precision::half_precision     ? 2.0 / 32767
                             : bound.precision == Precision::single_precision ? 2e-7
                                                                              : 3e-16;
        EXPECT_FALSE(changed(0, 0, -least));
        EXPECT_FALSE(changed(6, 5, least));
        EXPECT_FALSE(changed(3, 8, -least));
        EXPECT_TRUE(changed(7, 0, -least));
        EXPECT_EQ(changed(2, 1, 1e-30), bound.precision == Precision::half_precision);
        if (bound.reals == 18 && bound.precision != Precision::half_precision) {
          EXPECT_FALSE(changed(1, 16, std::numeric_limits<double>::quiet_NaN()));
        }
      }
  }
}

TEST(TemporalGauge, SavesTheBytesOfTimeLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 4, 4, 8};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto work = [&](test::Gauge links) {
    const auto p = test::make_wilson(extents, test::Clover::none, links);
    const LinkStorage storage{Precision::single_precision, 12};
    return test::make_hopping(p, {self, self.geometry(extents), storage, Queue(Location::host)})
        ->work(1, false);
  };
  const Work all = work(test::Gauge::random), fixed = work(test::Gauge::temporal);
  EXPECT_EQ(all.flops, fixed.flops);
  EXPECT_EQ(all.bytes - fixed.bytes, 256 * (2 - 2 / 8.0) * 12 * 4);
}

}  // namespace
}  // namespace plaq::temporal_gauge_test

// Closed halos: an operator is that on links which vanish where they leave a rank, to the bit.
#include <gtest/gtest.h>

#include "comms/halo/halo.hpp"
#include "core/system/error.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"
#include "tests/support/whole_vectors.hpp"

namespace plaq::closed_halos_test {
namespace {

constexpr int batch = 2;

// Removes the links of `steps` sites that leave a rank of this geometry.
void cut(reference::GaugeField& gauge, const Geometry& g, int steps) {
  for (int site = 0; site < gauge.lattice.volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      const int local = g.local()[static_cast<std::size_t>(mu)];
      const int x = gauge.lattice.coordinates(site)[static_cast<std::size_t>(mu)] % local;
      if (g.partitioned(mu) && x + steps >= local)
        gauge.link[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)] = {};
    }
}

test::WilsonProblem without_crossing(test::WilsonProblem p, const Geometry& g) {
  cut(p.gauge, g, 1);
  return p;
}

test::StaggeredProblem without_crossing(test::StaggeredProblem p, const Geometry& g) {
  cut(p.links.near, g, 1);
  if (p.improved) cut(p.links.far, g, 3);
  return p;
}

void hop_once(WilsonHopping& hop, Field& out, const Field& in, bool dagger) { hop.apply(out, in, 0, dagger); }
void hop_once(StaggeredHopping& hop, Field& out, const Field& in, bool dagger) {
  hop.apply(out, in, 0, dagger, ActiveSet(batch));
}

// `scaled`: links in half precision have a scale, which is another one without some of them.
template <class Problem>
void expect_closed_halos(const Problem& p, const test::OperatorProblem& op, bool scaled = false) {
  if (!test::splits_over_the_ranks(op.extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const auto v = test::random_vectors(op, batch);
  for (const auto& bound : op.bounds) {
    if (bound.reals != 18) continue;  // cut links are not unitary
    if (scaled && bound.precision == Precision::half_precision) continue;
    SCOPED_TRACE(op.name + ", " + bound.name());
    test::for_all_geometries(
        op.extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
          if (!op.fits(*g)) return;
          const auto transport = make_host_transport(grid, location);
          const test::Setting setting{grid, g, bound.storage(), Queue(location), batch, transport};
          const auto hop = test::make_hopping(p, setting);
          const auto blocks = test::make_hopping(without_crossing(p, *g), setting);
          const Field in = op.field(v, g, Subset::odd, bound.precision, location);
          const auto applied = [&](auto& of, bool dagger) {
            Field out(g, op.shape.spec(Subset::even, batch, bound.precision, location));
            hop_once(of, out, in, dagger);
            setting.queue.synchronize();
            return test::on_all_ranks(test::to_vectors(out), grid);
          };
          for (const bool dagger : {false, true}) {
            const auto open = applied(*hop, dagger), expected = applied(*blocks, dagger);
            EXPECT_EQ(open != expected, g->any_partitioned());
            {
              const ClosedHalos closed(transport);
              EXPECT_EQ(applied(*hop, dagger), expected);
              EXPECT_EQ(hop->halo(batch).closed(), g->any_partitioned());
              EXPECT_GE(hop->halo(batch).capturable(), 0);
            }
            EXPECT_EQ(applied(*hop, dagger), open);
          }
        });
  }
}

TEST(ClosedHalos, OfWilsonLeaveOutHopsBetweenRanks) {
  const auto p = test::make_wilson({4, 4, 6, 4}, test::Clover::none);
  expect_closed_halos(p, test::wilson_operator(p));
}

TEST(ClosedHalos, OfStaggeredLeaveOutHopsBetweenRanks) {
  for (const bool improved : {false, true}) {
    const auto p = test::make_staggered({4, 4, 6, 8}, improved);
    expect_closed_halos(p, test::staggered_operator(p), improved);
  }
}

TEST(ClosedHalos, ExchangeNothing) {
  const ProcessGrid grid(MPI_COMM_WORLD, test::line_of_ranks());
  const auto g = grid.geometry({2, 2, 2, 4 * test::world_size()}, 0xf);
  const auto transport = make_host_transport(grid, Location::host);
  Halo halo(grid, g, {}, transport);
  const ClosedHalos closed(transport);
  const auto pack = [](const Queue&) {};
  EXPECT_THROW((void)halo.begin(Queue(Location::host), pack), Error);
  const ClosedHalos nothing(nullptr);
}

}  // namespace
}  // namespace plaq::closed_halos_test

// Quenched updates: what one sweep leaves as it was, and the same bits on every process grid.
#include "kernels/gauge/update.hpp"

#include "core/launch/dispatch.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::world_size;

using test::both_precisions;
using test::fingerprint;
using test::for_all_grids;

Field empty_field(const GeometryPtr& geometry, Precision precision, Location location) {
  return Field(geometry, gauge_spec(precision, location));
}

// Fingerprints after: start, one heatbath sweep, an overrelaxation sweep, another heatbath sweep.
std::vector<std::uint64_t> history(const ProcessGrid& grid, Field field, bool hot, double beta) {
  const Queue queue(field.location());
  if (hot) {
    hot_start(field, 77, queue);
  } else {
    cold_start(field, queue);
  }
  QuenchedUpdate update(grid, field, {beta, 5}, make_host_transport(grid, field.location()));
  std::vector<std::uint64_t> prints;
  auto note = [&] {
    prints.push_back(fingerprint(field, grid));
    prints.push_back(__builtin_bit_cast(std::uint64_t, average_plaquette(grid, field, queue).all));
  };
  note();
  update.heatbath_sweep(field, 0, queue);
  note();
  update.overrelaxation_sweep(field, queue);
  note();
  update.heatbath_sweep(field, 1, queue);
  note();
  return prints;
}

TEST(QuenchedUpdate, SameBitsOnAnyGrid) {
  for (const auto& [extents, beta] :
       {std::pair{Extents{4, 4, 4, 8}, 6.0}, std::pair{Extents{8, 2, 6, 4}, 0.5}})
    for (const Precision precision : both_precisions)
      for (const bool hot : {true, false}) {
        SCOPED_TRACE(std::string(hot ? "hot " : "cold ") + std::string(name_of(precision)));
        for_all_grids(extents, test::same_as_alone(extents, [&, beta = beta](const ProcessGrid& grid,
                                                                             const GeometryPtr& geometry,
                                                                             Location location) {
                        return history(grid, empty_field(geometry, precision, location), hot, beta);
                      }));
      }
}

// What the plaquettes at 5.7 and 6.0 are measured on.
TEST(QuenchedUpdate, SameBitsOnTheLatticeOfTheEnsembles) {
  if (world_size() == 1) GTEST_SKIP();
  const Extents extents{12, 12, 12, 12};
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(world_size(), extents));
  const auto part = grid.geometry(extents)->extended(1);
  for (const double beta : {5.7, 6.0})
    for (const bool hot : {true, false}) {
      SCOPED_TRACE((hot ? "hot " : "cold ") + std::to_string(beta));
      const auto same = test::same_as_alone(
          extents, [&](const ProcessGrid& of, const GeometryPtr& geometry, Location location) {
            return history(of, empty_field(geometry, Precision::double_precision, location), hot, beta);
          });
      for (const Location location : test::locations()) same(grid, part, location);
    }
}

TEST(QuenchedUpdate, RandomNumbersBelongToSeedAndSweep) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto geometry = self.geometry({4, 4, 4, 4});
  const Queue queue(Location::host);
  auto run = [&](std::uint64_t seed, std::uint32_t sweep) {
    Field field = empty_field(geometry, Precision::double_precision, Location::host);
    cold_start(field, queue);
    QuenchedUpdate(self, field, {6.0, seed}, nullptr).heatbath_sweep(field, sweep, queue);
    return fingerprint(field, self);
  };
  EXPECT_EQ(run(1, 0), run(1, 0));
  EXPECT_NE(run(1, 0), run(1, 1));
  EXPECT_NE(run(1, 0), run(2, 0));
}

// The sum of the six plaquettes of each link, from the reference's staples.
TEST(Overrelaxation, PreservesTheActionOfEveryLinkAndMovesIt) {
  if (world_size() > 1) GTEST_SKIP();
  const Extents extents{4, 6, 2, 8};
  reference::Generator generator(5);
  const auto start = reference::random_gauge({extents}, generator);
  const auto geometry = Geometry::create({extents});
  for (const Location location : test::locations())
    for (const Precision precision : both_precisions) {
      const double tolerance = precision == Precision::double_precision ? 1e-13 : 3e-5;
      Field field = test::to_plaq(start, geometry, precision, location);
      auto before = test::to_reference(field);
      for (int parity = 0; parity < 2; ++parity)
        for (int mu = 0; mu < 4; ++mu) {
          dispatch(location, precision, [&](auto kind) {
            using K = decltype(kind);
            launch_overrelaxation<typename K::target, typename K::scalar>(field, mu, parity, Queue(location));
          });
          const auto after = test::to_reference(field);
          const auto m = static_cast<std::size_t>(mu);
          for (std::size_t site = 0; site < before.link.size(); ++site)
            for (std::size_t nu = 0; nu < 4; ++nu) {
              const double moved = reference::max_difference(before.link[site][nu], after.link[site][nu]);
              if (nu != m || before.lattice.parity(static_cast<int>(site)) != parity) {
                EXPECT_EQ(moved, 0);
                continue;
              }
              const auto staples = reference::staple_sum(before, static_cast<int>(site), mu);
              EXPECT_NEAR(trace(before.link[site][m] * staples).real(),
                          trace(after.link[site][m] * staples).real(), tolerance);
              EXPECT_GT(moved, 1e-2);
            }
          before = after;
        }
    }
}

TEST(Starts, ColdIsUnitAndHotIsHaar) {
  const Extents extents{8, 8, 8, 8};
  for_all_grids(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    for (const Precision precision : both_precisions) {
      const Queue queue(location);
      Field field = empty_field(geometry, precision, location);
      cold_start(field, queue);
      const auto cold = measure_gauge(grid, field, queue);
      EXPECT_EQ(cold.plaquette.all, 1);
      EXPECT_EQ(cold.link_trace, 1);
      EXPECT_EQ(cold.polyakov_loop, 1.0);
      EXPECT_EQ(cold.unitarity_violation, 0);

      hot_start(field, 9, queue);
      const auto hot = measure_gauge(grid, field, queue);
      // Re tr U has variance 1/2 in the Haar measure, and so has Re tr P of a random field.
      const double links = 4.0 * 4096, planes = 6.0 * 4096;
      EXPECT_LT(std::abs(hot.link_trace), 4 * std::sqrt(0.5 / links) / 3);
      EXPECT_LT(std::abs(hot.plaquette.all), 4 * std::sqrt(0.5 / planes) / 3);
      EXPECT_LT(hot.unitarity_violation, precision == Precision::double_precision ? 1e-14 : 2e-6);
    }
  });
}

// <(Re tr U)^2> = 1/2, <|tr U|^4> = 2, <|tr U|^6> = 6, <(tr U)^3> = 1: Haar moments of SU(3), which U(3) does
// not share.
TEST(Starts, HotMomentsAreThoseOfSU3) {
  if (world_size() > 1) GTEST_SKIP();
  Field field =
      empty_field(Geometry::create({{12, 12, 12, 12}}), Precision::double_precision, Location::host);
  hot_start(field, 4, Queue(Location::host));
  const auto gauge = test::to_reference(field);
  double square = 0, fourth = 0, sixth = 0, cube = 0, count = 0;
  for (const auto& links : gauge.link)
    for (const auto& u : links) {
      const auto z = trace(u);
      square += z.real() * z.real();
      fourth += std::pow(std::norm(z), 2);
      sixth += std::pow(std::norm(z), 3);
      cube += (z * z * z).real();
      count += 1;
    }
  EXPECT_NEAR(square / count, 0.5, 0.01);
  EXPECT_NEAR(fourth / count, 2, 0.06);
  EXPECT_NEAR(sixth / count, 6, 0.4);
  EXPECT_NEAR(cube / count, 1, 0.05);
}

}  // namespace
}  // namespace plaq

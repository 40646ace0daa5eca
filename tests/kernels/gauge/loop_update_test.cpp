// Quenched updates with improved and anisotropic actions: the action that overrelaxation leaves, the
// distribution that the heatbath has, and the same bits on every process grid.
#include <cmath>

#include "core/launch/dispatch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/gauge/loop_update_launch.hpp"
#include "kernels/gauge/momenta.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/support/blocked_mean.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/world.hpp"

namespace plaq::loop_update_test {
namespace {

using test::fingerprint;
constexpr auto wide = Precision::double_precision;

struct Named {
  const char* name;
  LoopWeights weights;
};
std::vector<Named> actions() {
  return {{"wilson, anisotropic", wilson_gauge_action(5.7, 1.8)},
          {"symanzik", rectangle_gauge_action(4.0, symanzik_c1)},
          {"iwasaki, anisotropic", rectangle_gauge_action(2.2, iwasaki_c1, 1.4)},
          {"dbw2", rectangle_gauge_action(0.9, dbw2_c1)},
          {"luscher_weisz", luscher_weisz_gauge_action(6.5, 0.862, 2)},
          {"anisotropic", anisotropic_gauge_action(1.9, 2.5, 0.85, 0.97)}};
}

// One rank that has the whole lattice.
struct Alone {
  ProcessGrid grid{MPI_COMM_SELF, {1, 1, 1, 1}};
  GeometryPtr geometry;
  Queue queue;

  explicit Alone(const Extents& extents, Location location = Location::host)
      : geometry(grid.geometry(extents)), queue(location) {}
  Field weak_links(double strength) const {
    reference::Generator generator(3);
    return test::to_plaq(reference::weak_gauge({geometry->global()}, generator, strength), geometry, wide,
                         queue.location());
  }
};

std::vector<std::uint64_t> history(const ProcessGrid& grid, Field field, const LoopWeights& weights) {
  const Queue queue(field.location());
  hot_start(field, 77, queue);
  QuenchedUpdate update(grid, field, weights, 5, make_host_transport(grid, field.location()));
  std::vector<std::uint64_t> prints;
  for (std::uint32_t sweep = 0; sweep < 2; ++sweep) {
    update.heatbath_sweep(field, sweep, queue);
    prints.push_back(fingerprint(field, grid));
    update.overrelaxation_sweep(field, queue);
    prints.push_back(fingerprint(field, grid));
  }
  return prints;
}

// With all numbers of colours but eight.
TEST(LoopUpdate, SameBitsOnAnyGrid) {
  for (const Extents& extents : {Extents{4, 4, 4, 8}, Extents{8, 4, 6, 4}})
    for (const Precision precision : test::both_precisions)
      for (const auto& [name, weights] : {actions()[0], actions()[1], actions()[4]}) {
        SCOPED_TRACE(name);
        const auto same = test::same_as_alone(
            extents,
            [&, w = weights](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
              return history(grid, Field(geometry, gauge_spec(precision, location)), w);
            });
        test::for_all_geometries(
            extents, [&, w = weights](const ProcessGrid& grid, const GeometryPtr& plain, Location location) {
              if (grid.size() > 1 && plain->decomposition().forced != 0) return;
              same(grid, plain->extended(halo_depth(w)), location);
            });
      }
}

// A sweep changes links together that must not see each other: else the action changes.
TEST(LoopUpdate, OverrelaxationPreservesTheActionAndMovesEveryLink) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Extents& extents : {Extents{4, 6, 4, 8}, Extents{8, 4, 4, 4}, Extents{8, 8, 8, 8}})
    for (const Location location : test::locations())
      for (const auto& [name, weights] : actions()) {
        SCOPED_TRACE(std::string(name) + " on " + to_string(extents));
        const Alone alone(extents, location);
        Field field = alone.weak_links(0.5);
        const auto before = test::to_reference(field);
        const double start = gauge_action(alone.grid, field, weights, alone.queue);
        QuenchedUpdate update(alone.grid, field, weights, 5, nullptr);
        update.overrelaxation_sweep(field, alone.queue);
        const double end = gauge_action(alone.grid, field, weights, alone.queue);
        EXPECT_NEAR(end, start, 1e-12 * std::abs(start));
        const auto after = test::to_reference(field);
        for (std::size_t site = 0; site < after.link.size(); ++site)
          for (std::size_t mu = 0; mu < 4; ++mu)
            EXPECT_GT(reference::max_difference(before.link[site][mu], after.link[site][mu]), 1e-3);
      }
}

// Plaquettes alone, with the random numbers of the Wilson action: its updates up to rounding.
TEST(LoopUpdate, IsThatOfTheWilsonActionWithPlaquettesAlone) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Extents extents{4, 6, 2, 8};
  const double beta = 5.6;
  for (const Location location : test::locations()) {
    const Alone alone(extents, location);
    const Queue& queue = alone.queue;
    const LoopWeights weights = wilson_gauge_action(beta);
    const ColouredLinks links(LinkColours(weights, extents), alone.geometry, location);
    for (const bool heatbath : {true, false}) {
      Field field = alone.weak_links(0.4), other = alone.weak_links(0.4);
      for (int parity = 0; parity < 2; ++parity)
        for (int mu = 0; mu < 4; ++mu)
          dispatch(location, wide, [&](auto kind) {
            using K = decltype(kind);
            using T = typename K::target;
            using S = typename K::scalar;
            if (heatbath) {
              launch_heatbath<T, S>(field, {beta, 9, 3}, mu, parity, queue);
              for (int p = 0; p < 2; ++p)
                launch_loop_heatbath<T, S>(other, {weights, 9, 3}, mu, p, links.domain(mu, parity, p), queue);
            } else {
              launch_overrelaxation<T, S>(field, mu, parity, queue);
              for (int p = 0; p < 2; ++p)
                launch_loop_overrelaxation<T, S>(other, weights, mu, p, links.domain(mu, parity, p), queue);
            }
          });
      EXPECT_GT(test::distance(field, test::to_reference(alone.weak_links(0.4))), 0.1);
      EXPECT_LT(test::distance(other, test::to_reference(field)), 1e-10);
    }
  }
}

// Schwinger and Dyson's identity for links that occur once in a loop,
//   <sum of F^a F^a> = (4/3) <sum over loops of (links in the loop) w Re tr / 3>.
TEST(LoopUpdate, HasTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Alone alone({4, 4, 4, 4});
  const Queue& queue = alone.queue;
  const double links = 1024;
  for (const auto& [name, weights] : actions()) {
    SCOPED_TRACE(name);
    Field gauge = alone.weak_links(0.5);
    Field force(alone.geometry, algebra_spec(wide, alone.queue.location()));
    QuenchedUpdate update(alone.grid, gauge, weights, 21, nullptr);
    test::BlockedMean identity, force_squares;
    for (std::int64_t number = 0; number < 240; ++number) {
      update.compound_sweep(gauge, {1, 1, 10}, number, queue);
      if (number < 40) continue;
      gauge_force(force, gauge, weights, queue);
      const double squares = 2 * kinetic_energy(alone.grid, force, queue);
      const auto sums = loop_sums(alone.grid, gauge, true, true, queue);
      const double four =
          weights.plaquette_space * sums.plaquette_space + weights.plaquette_time * sums.plaquette_time;
      const double six = weights.rectangle_space * sums.rectangle_space +
                         weights.rectangle_one_time * sums.rectangle_one_time +
                         weights.rectangle_two_times * sums.rectangle_two_times + weights.chair * sums.chair;
      force_squares.add(squares / links);
      identity.add((squares - 4.0 / 3 * (4 * four + 6 * six) / 3) / links);
    }
    std::printf("%s: %.5f +- %.5f of %.5f\n", name, identity.mean(), identity.error(), force_squares.mean());
    EXPECT_NEAR(identity.mean(), 0, 4 * identity.error());
    EXPECT_LT(identity.error(), 0.01 * force_squares.mean());
  }
}

TEST(LoopUpdate, RefusesExtentsAndHalosThatAreTooSmall) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Alone small({4, 4, 2, 4});
  const Field field = small.weak_links(0.1);
  const auto update = [&](const LoopWeights& weights) {
    QuenchedUpdate(small.grid, field, weights, 1, nullptr);
  };
  EXPECT_NO_THROW(update(wilson_gauge_action(5, 1.3)));
  test::expect_error(ErrorKind::job_file, "extents of at least 4",
                     [&] { update(rectangle_gauge_action(4, symanzik_c1)); });
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const Field shallow(self.geometry({8, 8, 8, 8}, 15)->extended(1), gauge_spec(wide, Location::host));
  test::expect_error(ErrorKind::internal, "halo", [&] {
    QuenchedUpdate(self, shallow, rectangle_gauge_action(4, symanzik_c1), 1,
                   make_host_transport(self, Location::host));
  });
}

}  // namespace
}  // namespace plaq::loop_update_test

// Trajectories of gauge actions: reversible, of the order of their integrator, with the same bits on any
// grid, and with the distribution of the action.
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"

#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::hybrid_monte_carlo_test {
namespace {

using test::for_two_geometries;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

// A chain of one gauge action on one time scale.
struct Chain {
  SharedLattice lattice;
  HybridMonteCarlo hmc;
  PhaseSpace space;

  Chain(const SharedLattice& shared, const LoopWeights& action, const TimeScale& scale, double length,
        const Field& start, std::uint64_t seed = 7)
      : lattice(shared),
        hmc(MolecularDynamics({{scale, {std::make_shared<GaugeMonomial>(shared, action)}}}, length), seed),
        space(shared, start, hmc.halo_depth()) {}
};

struct Named {
  const char* name;
  LoopWeights weights;
};
std::vector<Named> actions() {
  return {{"wilson", wilson_gauge_action(5.6)},
          {"symanzik", rectangle_gauge_action(4.0, symanzik_c1)},
          {"iwasaki, anisotropic", rectangle_gauge_action(2.2, iwasaki_c1, 1.4)},
          {"luscher_weisz", luscher_weisz_gauge_action(6.5, 0.862, 2)}};
}

TEST(HybridMonteCarlo, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 8};
  reference::Generator generator(11);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  for (const auto& [name, weights] : {actions().front(), actions().back()}) {
    SCOPED_TRACE(name);
    for_two_geometries(
        extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                  Location location) {
          Chain chain(test::shared_lattice(grid, geometry, location), weights,
                      {Integrator::force_gradient, 3}, 0.3, to_plaq(gauge, geometry, wide, location));
          std::vector<std::uint64_t> bits;
          for (std::uint32_t number = 0; number < 2; ++number) {
            const auto report = chain.hmc.trajectory(chain.space, number);
            for (const double value :
                 {report.delta_h, report.forces.at(0).mean_square, report.forces[0].largest})
              bits.push_back(std::bit_cast<std::uint64_t>(value));
            Field plain(geometry, chain.space.links().spec());
            copy(plain, chain.space.links());
            bits.push_back(test::fingerprint(plain, grid));
          }
          return bits;
        }));
  }
}

TEST(HybridMonteCarlo, LeadsBackWithReversedMomenta) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone({4, 4, 2, 6}, location);
    for (const auto& [name, weights] : actions())
      for (const Integrator integrator :
           {Integrator::leapfrog, Integrator::omelyan2, Integrator::omelyan4, Integrator::force_gradient}) {
        SCOPED_TRACE(std::string(name) + " " + name_of(integrator));
        Chain chain(alone.lattice, weights, {integrator, 8}, 1, alone.weak_links(0.3));
        TrajectoryOptions options;
        options.check_reversibility = true;
        const auto report = chain.hmc.trajectory(chain.space, 1, options);
        ASSERT_TRUE(report.reversibility);
        EXPECT_LT(report.reversibility->links, 1e-12);
        EXPECT_LT(report.reversibility->energy, 1e-9);
        EXPECT_LT(std::abs(report.delta_h), 20);
      }
  }
}

TEST(HybridMonteCarlo, ErrorsOfEnergyFallWithTheOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  for (const auto& [name, weights] : actions())
    for (const auto& [integrator, steps, order] : {std::tuple{Integrator::leapfrog, 20, 2},
                                                   {Integrator::omelyan2, 16, 2},
                                                   {Integrator::omelyan4, 10, 4},
                                                   {Integrator::force_gradient, 10, 4}})
      EXPECT_NEAR(order_of_integrator(alone.lattice, weights, alone.weak_links(0.3), integrator, 2 * steps),
                  order, 0.1)
          << name << " " << name_of(integrator);
}

TEST(HybridMonteCarlo, RejectsWhereTheIntegratorIsUnstable) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const Field start = alone.weak_links(0.3);
  Chain chain(alone.lattice, wilson_gauge_action(6), {Integrator::leapfrog, 1}, 3, start);
  TrajectoryOptions options;
  options.always_accept = true;
  const auto report = chain.hmc.trajectory(chain.space, 0, options);
  EXPECT_GT(report.delta_h, unstable_delta_h);
  EXPECT_FALSE(report.accepted);
  EXPECT_EQ(report.acceptance, 0);
  EXPECT_EQ(largest_link_distance(alone.grid, chain.space.links(), start, alone.lattice.queue), 0);
}

TEST(HybridMonteCarlo, RejectedLinksAreTheOldOnesAndAcceptedOnesAreInSU3) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const Field start = alone.weak_links(0.3);
  Chain chain(alone.lattice, wilson_gauge_action(5.6), {Integrator::leapfrog, 9}, 1, start);
  int accepted = 0, rejected = 0;
  Field before(alone.geometry, start.spec());
  for (std::uint32_t number = 0; number < 30; ++number) {
    copy(before, chain.space.links());
    const auto report = chain.hmc.trajectory(chain.space, number);
    const double moved = largest_link_distance(alone.grid, chain.space.links(), before, alone.lattice.queue);
    EXPECT_EQ(moved != 0, report.accepted);
    (report.accepted ? accepted : rejected) += 1;
    EXPECT_LT(unitarity_violation(alone.grid, chain.space.links(), alone.lattice.queue), 1e-14);
  }
  EXPECT_GT(accepted, 5);
  EXPECT_GT(rejected, 3);
}

// <exp(-dH)> = 1, <-tr P^2> = 4 a link, and Schwinger and Dyson's identity for links that occur once in a
// loop, as they do in rectangles where extents are at least 4:
//   <sum of F^a F^a> = (4/3) <sum over loops of (links in the loop) w Re tr / 3>.
TEST(HybridMonteCarlo, HasTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const auto& [name, weights] : actions()) {
    SCOPED_TRACE(name);
    const bool small = !weights.has_rectangles();
    const test::LatticeAlone alone(small ? Extents{2, 2, 2, 2} : Extents{4, 4, 4, 4});
    const double links = small ? 64 : 1024;
    Chain chain(alone.lattice, weights, {Integrator::omelyan2, small ? 5 : 8}, 0.8, alone.weak_links(0.5),
                21);
    GaugeMonomial action(alone.lattice, weights);
    Field force(chain.space.momenta().geometry_ptr(), chain.space.momenta().spec());
    test::BlockedMean weight, kinetic, identity, force_squares;
    const std::uint32_t thermalization = small ? 60 : 20, trajectories = small ? 600 : 80;
    for (std::uint32_t number = 0; number < thermalization + trajectories; ++number) {
      const auto report = chain.hmc.trajectory(chain.space, number);
      if (number < thermalization) continue;
      weight.add(std::exp(-report.delta_h));
      kinetic.add(report.energies[0].start / links);
      action.force(force, chain.space.links());
      const double squares = 2 * kinetic_energy(alone.grid, force, alone.lattice.queue);
      const auto sums = loop_sums(alone.grid, chain.space.links(), true, true, alone.lattice.queue);
      const double four =
          weights.plaquette_space * sums.plaquette_space + weights.plaquette_time * sums.plaquette_time;
      const double six = weights.rectangle_space * sums.rectangle_space +
                         weights.rectangle_one_time * sums.rectangle_one_time +
                         weights.rectangle_two_times * sums.rectangle_two_times + weights.chair * sums.chair;
      force_squares.add(squares / links);
      identity.add((squares - 4.0 / 3 * (4 * four + 6 * six) / 3) / links);
    }
    EXPECT_NEAR(weight.mean(), 1, 4 * weight.error());
    EXPECT_LT(weight.error(), 0.01);
    EXPECT_NEAR(kinetic.mean(), 4, 4 * kinetic.error());
    EXPECT_NEAR(identity.mean(), 0, 4 * identity.error());
    EXPECT_LT(identity.error(), 0.01 * force_squares.mean());
  }
}

// Wilson's action by heatbath and overrelaxation, and by molecular dynamics.
TEST(HybridMonteCarlo, HasThePlaquetteOfTheHeatbath) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 2, 2, 2});
  const double beta = 5.5;
  Field gauge = alone.weak_links(0.5);
  test::BlockedMean heatbath, dynamics;
  QuenchedUpdate update(alone.grid, gauge, {beta, 4}, alone.lattice.transport);
  for (int n = 0; n < 2100; ++n) {
    update.compound_sweep(gauge, {1, 2, 10}, n, alone.lattice.queue);
    if (n >= 100) heatbath.add(average_plaquette(alone.grid, gauge, alone.lattice.queue).all);
  }
  Chain chain(alone.lattice, wilson_gauge_action(beta), {Integrator::omelyan2, 6}, 1, gauge, 5);
  for (std::uint32_t number = 0; number < 2000; ++number) {
    chain.hmc.trajectory(chain.space, number);
    dynamics.add(average_plaquette(alone.grid, chain.space.links(), alone.lattice.queue).all);
  }
  EXPECT_NEAR(dynamics.mean(), heatbath.mean(), 4 * std::hypot(dynamics.error(), heatbath.error()));
  EXPECT_LT(std::hypot(dynamics.error(), heatbath.error()), 0.004);
}

}  // namespace
}  // namespace plaq::hybrid_monte_carlo_test

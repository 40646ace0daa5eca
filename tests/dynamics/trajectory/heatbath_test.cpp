// Improved gauge actions by heatbath and overrelaxation, and by molecular dynamics: one distribution.
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::heatbath_and_dynamics_test {
namespace {

struct Averages {
  test::BlockedMean plaquette, rectangle;

  void measure(const test::LatticeAlone& alone, const Field& links) {
    const LoopSums sums = loop_sums(alone.grid, links, true, false, alone.lattice.queue);
    const double sites = static_cast<double>(alone.geometry->global_volume());
    plaquette.add((sums.plaquette_space + sums.plaquette_time) / (18 * sites));
    rectangle.add((sums.rectangle_space + sums.rectangle_one_time + sums.rectangle_two_times) / (36 * sites));
  }
};

void expect_equal(const test::BlockedMean& a, const test::BlockedMean& b, double largest_error) {
  const double error = std::hypot(a.error(), b.error());
  EXPECT_NEAR(a.mean(), b.mean(), 4 * error);
  EXPECT_LT(error, largest_error);
}

TEST(ImprovedHeatbath, HasTheLoopsOfMolecularDynamics) {
  const test::LatticeAlone alone({4, 4, 4, 4});
  struct Case {
    const char* name;
    LoopWeights weights;
    int sweeps;
    std::uint32_t trajectories;
  };
  for (const auto& [name, weights, sweeps, trajectories] :
       {Case{"symanzik", rectangle_gauge_action(4.0, symanzik_c1), 700, 420},
        Case{"iwasaki", rectangle_gauge_action(2.2, iwasaki_c1), 400, 220}}) {
    SCOPED_TRACE(name);
    Averages heatbath, dynamics;
    Field gauge = alone.weak_links(0.5);
    QuenchedUpdate update(alone.grid, gauge, weights, 4, alone.lattice.transport);
    for (int n = 0; n < 50 + sweeps; ++n) {
      update.compound_sweep(gauge, {1, 1, 10}, n, alone.lattice.queue);
      if (n >= 50) heatbath.measure(alone, gauge);
    }
    HybridMonteCarlo hmc(
        MolecularDynamics(
            {{{Integrator::omelyan2, 4}, {std::make_shared<GaugeMonomial>(alone.lattice, weights)}}}, 1),
        5);
    PhaseSpace space(alone.lattice, gauge, hmc.halo_depth());
    for (std::uint32_t number = 0; number < trajectories; ++number) {
      hmc.trajectory(space, number);
      dynamics.measure(alone, space.links());
    }
    expect_equal(heatbath.plaquette, dynamics.plaquette, 0.0015);
    expect_equal(heatbath.rectangle, dynamics.rectangle, 0.0025);
    std::printf("%s: plaquette %.5f +- %.5f and %.5f +- %.5f\n", name, heatbath.plaquette.mean(),
                heatbath.plaquette.error(), dynamics.plaquette.mean(), dynamics.plaquette.error());
  }
}

}  // namespace
}  // namespace plaq::heatbath_and_dynamics_test

// Multigrid in trajectories of twisted-mass quarks, with ladders of further twists on even sites: against
// conjugate gradients, and equal bits.
#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::doublet_multigrid_test {
namespace {

using test::LatticeAlone;

WilsonParameters doublet(double mu, bool clover = true) {
  if (!clover) return {.mass = -0.6, .twisted_mass = mu};
  return {.mass = WilsonParameters::mass_of_kappa(0.135), .clover = {1.1, 1.1}, .twisted_mass = mu};
}

MdSolverSettings multigrid(double tolerance, std::optional<double> largest_twist = 0.1) {
  MdSolverSettings settings{.force_tolerance = tolerance, .action_tolerance = 1e-12};
  settings.largest_multigrid_twist = largest_twist;
  settings.multigrid =
      MultigridOptions{.blocks = {{2, 2, 2, 2}}, .vectors = {8}, .filter_iterations = 8, .rounds = 2};
  return settings;
}

double distance(WilsonQuark& quark, const Field& a, const Field& b) {
  Field difference = quark.vector();
  copy(difference, a);
  quark.add(difference, -1, b);
  return std::sqrt(quark.real_product(difference, difference) / quark.real_product(b, b));
}

// Solutions of W^dagger W x = b, of which W is applied by operators that no multigrid has touched.
TEST(DoubletMultigrid, AgreesWithConjugateGradientsInFewerIterations) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const bool clover : {true, false})
      for (const double mu_q : {0.01, -0.01}) {
        SCOPED_TRACE((clover ? "clover, " : "wilson, ") + std::to_string(mu_q));
        const LatticeAlone alone({6, 4, 4, 6}, location);
        WilsonQuark quark(alone.lattice, doublet(mu_q, clover), multigrid(1e-9)),
            plain(alone.lattice, doublet(mu_q, clover), {.force_tolerance = 1e-9});
        Field b = quark.vector(), x = quark.vector(), exact = quark.vector(), turned = quark.vector(),
              back = quark.vector();
        PhaseSpace space(alone.lattice, alone.weak_links(0.3), 1);
        space.draw_momenta(3, 1);
        quark.begin_trajectory(space.links());
        draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
        for (int step = 0; step < 2; ++step) {
          quark.update(space.links());
          plain.update(space.links());
          for (const double mu : {0.0, 0.01, 0.05, 0.11}) {  // the last one without multigrid
            SCOPED_TRACE(std::to_string(mu) + " after step " + std::to_string(step));
            const auto fewer = quark.solve(x, b, mu, 1e-12), more = plain.solve(exact, b, mu, 1e-12);
            EXPECT_LT(distance(quark, x, exact), 1e-9);
            plain.apply(turned, x, mu, false);
            plain.apply(back, turned, mu, true);
            EXPECT_LT(distance(quark, back, b), 1e-10);
            if (mu <= 0.1)
              EXPECT_LT(fewer, 0.5 * static_cast<double>(more));
            else
              EXPECT_EQ(fewer, more);
          }
          EXPECT_EQ(step == 0, quark.take_setup_rounds() > 0) << step;
          space.drift(0.02);
        }
      }
}

// The twists of both parities count: conjugate gradients are as fast for a large twisted mass as for a large
// twist.
TEST(DoubletMultigrid, PaysUpToASumOfTwists) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 8});
  const Field links = alone.weak_links(0.3);
  const auto uses_multigrid = [&](double mu_q, double mu) {
    WilsonQuark quark(alone.lattice, doublet(mu_q), multigrid(1e-9, {})),
        plain(alone.lattice, doublet(mu_q), {.force_tolerance = 1e-9});
    Field b = quark.vector(), x = quark.vector();
    draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
    quark.begin_trajectory(links);
    plain.update(links);
    return quark.solve(x, b, mu, 1e-9) != plain.solve(x, b, mu, 1e-9);
  };
  EXPECT_TRUE(uses_multigrid(0.005, 0));
  EXPECT_TRUE(uses_multigrid(-0.005, 0));
  EXPECT_FALSE(uses_multigrid(0.2, 0));
  EXPECT_FALSE(uses_multigrid(-0.2, 0));
  EXPECT_FALSE(uses_multigrid(0.005, 0.4));
}

TEST(DoubletMultigrid, LeavesATrajectoryAsItIs) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const Field start = alone.weak_links(0.3);
  for (const double mu_q : {0.02, -0.02}) {
    SCOPED_TRACE(mu_q);
    test::expect_trajectory_of_cg(alone, start, doublet(mu_q), multigrid(1e-10));
  }
}

TEST(DoubletMultigrid, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  const auto same = test::same_as_alone(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        auto settings = multigrid(1e-8);
        settings.multigrid->storage = settings.multigrid->precision = Precision::single_precision;
        const auto quark = std::make_shared<WilsonQuark>(lattice, doublet(0.02), settings);
        const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                          heavy = std::make_shared<PairMonomial>("heavy", 0, quark, 0.1),
                          light = std::make_shared<PairMonomial>("light", 1, quark, 0, 0.1);
        HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::leapfrog, 1}, {gauge, heavy, light}}}, 0.1), 1);
        PhaseSpace space(lattice, test::to_plaq(links, geometry, Precision::double_precision, location),
                         hmc.halo_depth());
        const auto report = hmc.trajectory(space, 1);
        EXPECT_EQ(report.failure, "");
        return std::vector<std::uint64_t>{std::bit_cast<std::uint64_t>(report.delta_h),
                                          std::bit_cast<std::uint64_t>(report.forces.at(1).mean_square),
                                          std::bit_cast<std::uint64_t>(report.forces.at(2).mean_square)};
      });
  test::for_some_geometries(extents,
                            [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                              if (geometry->decomposition().forced == 0) same(grid, geometry, location);
                            });
}

}  // namespace
}  // namespace plaq::doublet_multigrid_test

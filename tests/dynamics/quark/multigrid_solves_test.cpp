// Solves of a trajectory by multigrid: against conjugate gradients, along moving links, and in a chain.
#include "dynamics/quark/multigrid_solves.hpp"

#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::multigrid_solves_test {
namespace {

using test::LatticeAlone;

WilsonParameters clover(double kappa = 0.12) {
  return {.mass = WilsonParameters::mass_of_kappa(kappa), .clover = {1.1, 1.1}};
}

MdSolverSettings multigrid(double tolerance = 1e-9, std::optional<double> largest_twist = 0.1) {
  MdSolverSettings settings{.force_tolerance = tolerance, .action_tolerance = 1e-12};
  settings.largest_multigrid_twist = largest_twist;
  settings.multigrid =
      MultigridOptions{.blocks = {{2, 2, 2, 2}}, .vectors = {6}, .filter_iterations = 8, .rounds = 2};
  return settings;
}

double distance(WilsonQuark& quark, const Field& a, const Field& b) {
  Field difference = quark.vector();
  copy(difference, a);
  quark.add(difference, -1, b);
  return std::sqrt(quark.real_product(difference, difference) / quark.real_product(b, b));
}

TEST(MultigridSolves, AgreeWithConjugateGradientsInFewerIterations) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 4, 8}, location);
    WilsonQuark quark(alone.lattice, clover(0.131), multigrid()),
        plain(alone.lattice, clover(0.131),
              MdSolverSettings{.force_tolerance = 1e-9, .action_tolerance = 1e-12});
    Field b = quark.vector(), x = quark.vector(), exact = quark.vector();
    PhaseSpace space(alone.lattice, alone.weak_links(0.3), 1);
    space.draw_momenta(3, 1);
    quark.begin_trajectory(space.links());
    draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
    for (int step = 0; step < 3; ++step) {
      quark.update(space.links());
      plain.update(space.links());
      std::int64_t without_twist = 0;
      for (const double mu : {0.0, 0.02, 0.1, 0.11}) {  // the last one without multigrid
        const auto fewer = quark.solve(x, b, mu, 1e-12);
        const auto more = plain.solve(exact, b, mu, 1e-12);
        EXPECT_LT(distance(quark, x, exact), 1e-10) << mu << " after step " << step;
        if (mu == 0) without_twist = fewer;
        if (mu <= 0.1) {
          EXPECT_LT(fewer, 0.7 * static_cast<double>(more)) << mu << " after step " << step;
          EXPECT_LE(fewer, without_twist + 1) << mu << " after step " << step;
        } else {
          EXPECT_EQ(fewer, more);
        }
      }
      EXPECT_EQ(step == 0, quark.take_setup_rounds() > 0) << step;
      space.drift(0.02);
    }
  }
}

TEST(MultigridSolves, ChooseTheLargestTwistByTheFirstSetup) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 8});
  WilsonQuark quark(alone.lattice, clover(0.131), multigrid(1e-9, {})),
      plain(alone.lattice, clover(0.131), {.force_tolerance = 1e-9});
  const Field links = alone.weak_links(0.3);
  Field b = quark.vector(), x = quark.vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  quark.begin_trajectory(links);
  plain.update(links);
  EXPECT_EQ(quark.solve(x, b, 0.4, 1e-9), plain.solve(x, b, 0.4, 1e-9));
  EXPECT_GT(quark.take_setup_rounds(), 0);
  EXPECT_LT(quark.solve(x, b, 0.01, 1e-9), 0.5 * static_cast<double>(plain.solve(x, b, 0.01, 1e-9)));
}

TEST(MultigridSolves, LeaveATrajectoryAsItIs) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  test::expect_trajectory_of_cg(alone, alone.weak_links(0.3), clover(0.131), multigrid(1e-10));
}

TEST(MultigridSolves, TakeNoNewMemoryAfterTheFirstTrajectories) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 4, 4}, location);
    const auto quark = std::make_shared<WilsonQuark>(alone.lattice, clover(), multigrid());
    const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.6)),
                      heavy = std::make_shared<PairMonomial>("heavy", 0, quark, 0.1),
                      light = std::make_shared<PairMonomial>("light", 1, quark, 0, 0.1);
    HybridMonteCarlo hmc(
        MolecularDynamics({{{Integrator::omelyan2, 2}, {heavy, light}}, {{Integrator::omelyan2, 2}, {gauge}}},
                          0.3),
        1);
    PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
    std::vector<std::size_t> taken;
    for (const std::uint32_t number : {0, 1, 2, 3}) {
      const std::size_t before = kept_memory::taken_from_system();
      ASSERT_EQ(hmc.trajectory(space, number).failure, "");
      taken.push_back(kept_memory::taken_from_system() - before);
    }
    EXPECT_GT(taken.front(), 100u);
    EXPECT_EQ(taken.back(), 0u);
  }
}

TEST(MultigridSolves, HaveTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        auto settings = multigrid(1e-8);
        settings.multigrid->storage = settings.multigrid->precision = Precision::single_precision;
        const auto quark = std::make_shared<WilsonQuark>(lattice, clover(), settings);
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
      }));
}

}  // namespace
}  // namespace plaq::multigrid_solves_test

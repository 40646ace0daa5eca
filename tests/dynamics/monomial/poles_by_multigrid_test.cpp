// Poles of a rational function by multigrid: against multi-shift conjugate gradients, and in a chain.
#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::poles_by_multigrid_test {
namespace {

using test::LatticeAlone;

constexpr SpectralRange range{2e-3, 80};

WilsonParameters light() { return {.mass = WilsonParameters::mass_of_kappa(0.131), .clover = {1.1, 1.1}}; }

MdSolverSettings multigrid(double tolerance, std::optional<double> largest_twist = {}) {
  MdSolverSettings settings{.force_tolerance = tolerance, .action_tolerance = std::min(tolerance, 1e-12)};
  settings.largest_multigrid_twist = largest_twist;
  settings.multigrid =
      MultigridOptions{.blocks = {{2, 2, 2, 2}}, .vectors = {6}, .filter_iterations = 8, .rounds = 2};
  return settings;
}

MdSolverSettings plain(double tolerance) {
  return {.force_tolerance = tolerance, .action_tolerance = std::min(tolerance, 1e-12)};
}

std::shared_ptr<InverseRoot> root_of(const LatticeAlone& alone, const MdSolverSettings& settings) {
  const auto quark = std::make_shared<WilsonQuark>(alone.lattice, light(), settings);
  return std::make_shared<InverseRoot>(quark, InverseRootSettings{.tolerance = 1e-6, .range = range});
}

TEST(PolesByMultigrid, AgreeWithConjugateGradients) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const std::vector<double> shifts{0.5, 1e-4, 9e-4, 4, 1e-2};  // mu 0.7, 0.01, 0.03, 2, 0.1
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 4, 8}, location);
    const Field links = alone.weak_links(0.3);
    WilsonQuark exact(alone.lattice, light(), plain(1e-12));
    exact.update(links);
    Field b = exact.vector();
    draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
    std::vector<Field> x, of_cg;
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      x.push_back(exact.vector());
      of_cg.push_back(exact.vector());
    }
    const auto most = static_cast<double>(exact.solve_shifts(of_cg, b, shifts, 1e-12));
    // Iterations with this largest twist; none: where it pays, for a smallest eigenvalue as measured or 0.
    const auto iterations_with = [&](std::optional<double> largest, bool measured = true) {
      WilsonQuark quark(alone.lattice, light(), multigrid(1e-12, largest));
      quark.begin_trajectory(links);
      if (measured) quark.spectral_range();
      const auto iterations = quark.solve_shifts(x, b, shifts, 1e-12);
      EXPECT_EQ(quark.take_setup_rounds() > 0, largest != 0.0);
      for (std::size_t i = 0; i < shifts.size(); ++i) {
        quark.add(x[i], -1, of_cg[i]);
        const double ratio = quark.real_product(x[i], x[i]) / quark.real_product(of_cg[i], of_cg[i]);
        EXPECT_LT(std::sqrt(ratio), 1e-9) << shifts[i];
      }
      return static_cast<double>(iterations);
    };
    EXPECT_EQ(iterations_with(0), most);
    const double of_two = iterations_with(0.05);
    EXPECT_LT(of_two, 0.8 * most);
    EXPECT_LT(iterations_with(1), 0.8 * of_two);
    EXPECT_EQ(iterations_with({}), most);  // too few for the setup
    EXPECT_LT(iterations_with({}, false), 0.8 * most);
  }
}

TEST(PolesByMultigrid, HaveTheDrawAndTheForceOfTheirAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 4, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const double largest : {0.1, 1.0}) {
      const auto root = root_of(alone, multigrid(1e-13, largest));
      RationalMonomial monomial("one", 20, root);
      EXPECT_NEAR(draw_deviation(monomial, 20, *root->quark(), links, 5, 8), 0, 1e-10);
      EXPECT_GT(root->quark()->take_setup_rounds(), 0);
      test::expect_derivative(alone, monomial, links, 1e-7);
    }
  }
}

// Pairs of equal trajectories, and a way back.
TEST(PolesByMultigrid, LeaveATrajectoryAsItIs) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const auto report_with = [&](const MdSolverSettings& settings) {
    const auto root = root_of(alone, settings);
    const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.6)),
                      one = std::make_shared<RationalMonomial>("one", 0, root);
    HybridMonteCarlo hmc(
        MolecularDynamics({{{Integrator::omelyan2, 2}, {one}}, {{Integrator::omelyan2, 2}, {gauge}}}, 0.3),
        1);
    PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
    TrajectoryOptions options;
    options.check_reversibility = true;
    return hmc.trajectory(space, 0, options);
  };
  const auto fast = report_with(multigrid(1e-10, 0.1)), slow = report_with(plain(1e-10));
  ASSERT_EQ(fast.failure, "");
  ASSERT_EQ(slow.failure, "");
  EXPECT_LT(fast.iterations.at(0), slow.iterations.at(0));
  EXPECT_NEAR(fast.delta_h, slow.delta_h, 1e-6);
  EXPECT_LT(fast.reversibility->links, 1e-8);
  EXPECT_LT(fast.reversibility->energy, 1e-5);
}

TEST(PolesByMultigrid, HaveTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        auto settings = multigrid(1e-8, 0.1);
        settings.multigrid->storage = settings.multigrid->precision = Precision::single_precision;
        const auto quark = std::make_shared<WilsonQuark>(lattice, light(), settings);
        const auto root =
            std::make_shared<InverseRoot>(quark, InverseRootSettings{.tolerance = 1e-4, .range = range});
        const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                          one = std::make_shared<RationalMonomial>("one", 0, root);
        HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::leapfrog, 1}, {gauge, one}}}, 0.1), 1);
        PhaseSpace space(lattice, test::to_plaq(links, geometry, Precision::double_precision, location),
                         hmc.halo_depth());
        const auto report = hmc.trajectory(space, 1);
        EXPECT_EQ(report.failure, "");
        EXPECT_GT(quark->take_setup_rounds(), 0);
        return std::vector<std::uint64_t>{std::bit_cast<std::uint64_t>(report.delta_h),
                                          std::bit_cast<std::uint64_t>(report.forces.at(1).mean_square)};
      }));
}

}  // namespace
}  // namespace plaq::poles_by_multigrid_test

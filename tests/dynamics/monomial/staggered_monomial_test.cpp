// Staggered quarks by rational functions: their draw, values, forces and trajectories.
#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/quark/staggered_quark.hpp"
#include "dynamics/terms/hmc_terms.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"

namespace plaq::staggered_monomial_test {
namespace {

using test::LatticeAlone;
constexpr auto wide = Precision::double_precision;

const StaggeredParameters quarks{.mass = 0.2};
const MdSolverSettings exact_solves{.force_tolerance = 1e-13, .action_tolerance = 1e-13};

struct Case {
  int flavours, fields = 1, factors = 1;
  std::array<int, 4> boundary{1, 1, 1, -1};
  int stout = 0;                         // steps
  std::vector<double> heavier_masses{};  // of a ladder
  std::optional<double> strange_mass{};  // of one more flavour in the same pseudofermions
};

SeaQuarks sea_quarks(const Case& of) {
  StaggeredSea staggered{.parameters = quarks};
  if (of.strange_mass) staggered.partners = {{*of.strange_mass, 1, of.fields}};
  return {.kind = staggered, .flavours = of.flavours, .pseudofermions = of.fields};
}
std::vector<Case> cases() {
  return {{1}, {2}, {3, 1, 2, {-1, 1, -1, 1}}, {4, 2, 1, {1, -1, 1, 1}}, {8, 3}, {2, 1, 1, {1, 1, 1, -1}, 2}};
}
// 2+1 flavours in one pseudofermion over a heavy mass, and a ladder of two masses.
std::vector<Case> ladders() {
  return {{2, 1, 1, {1, 1, 1, -1}, 0, {1.2}, 0.5}, {3, 2, 1, {1, -1, 1, -1}, 0, {1.5, 0.6}, {}}};
}

std::shared_ptr<InverseRoot> root_on(const SharedLattice& lattice, const Case& of,
                                     const MdSolverSettings& settings) {
  QuarkLinks links;
  if (of.stout > 0)
    links.smeared = std::make_shared<SmearedLinks>(lattice, StoutSmearing{0.12, false}, of.stout);
  const auto quark = std::make_shared<StaggeredQuark>(
      lattice, StaggeredParameters{.mass = quarks.mass, .boundary = of.boundary}, settings, links);
  return std::make_shared<InverseRoot>(
      quark, InverseRootSettings{.tolerance = 1e-6,
                                 .factors = of.factors,
                                 .range = std::nullopt,
                                 .targets = sea_quarks(of).targets(of.heavier_masses)});
}

std::string name_of(const Case& of) {
  return fmt::format("{} flavours, {} fields, {} factors, {} stout steps, {} heavier masses", of.flavours,
                     of.fields, of.factors, of.stout, of.heavier_masses.size());
}

// S_pf = |eta|^2 behind a draw.
void expect_draw(const LatticeAlone& alone, const Field& links, const Case& of,
                 const std::shared_ptr<InverseRoot>& root, int factor) {
  RationalMonomial monomial("some", 20, root, factor, of.fields);
  const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
  monomial.draw(space.links(), 5, 8);
  double norms = 0;
  for (int k = 0; k < of.fields; ++k) {
    Field eta = root->quark()->vector();
    draw_pseudofermion(eta, 5, 8, 20 + k, alone.lattice.queue);
    norms += root->quark()->real_product(eta, eta);
  }
  EXPECT_NEAR(monomial.value(space.links()) / norms, 1, 1e-11) << factor;
}

TEST(StaggeredMonomial, DrawsTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 6, 8}, location);
    const Field links = alone.weak_links(0.3);
    for (const Case& of : cases()) {
      SCOPED_TRACE(name_of(of));
      const auto root = root_on(alone.lattice, of, exact_solves);
      for (int factor = 0; factor < of.factors; ++factor) expect_draw(alone, links, of, root, factor);
      double product = 1;
      for (int factor = 0; factor < of.factors; ++factor) product *= root->factor(factor)(0.3);
      EXPECT_NEAR(product * std::pow(0.3, 0.25 * of.flavours / of.fields), 1, 1.1e-6);
    }
  }
}

// Each step of a ladder draws exp(-S) and has the force of S.
TEST(StaggeredMonomial, StepsOfALadderHaveDrawsAndForces) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 6, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const Case& of : ladders())
      for (std::size_t step = 0; step <= of.heavier_masses.size(); ++step) {
        SCOPED_TRACE(fmt::format("{}, step {}", name_of(of), step));
        const auto root = root_on(alone.lattice, of, exact_solves);
        expect_draw(alone, links, of, root, static_cast<int>(step));
        RationalMonomial monomial("some", 0, root, static_cast<int>(step), of.fields);
        const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
        monomial.draw(space.links(), 1, 4);
        test::expect_derivative(alone, monomial, links, 1e-8);
      }
  }
}

// The weight of an ensemble is 1/det of the product of all functions, at each eigenvalue of A: that of the
// determinants (x + m_k^2 - m^2)^(N_k/4), with a ladder and without.
TEST(StaggeredMonomial, LaddersHaveTheWeightOfTheQuarks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const Field links = alone.weak_links(0.3);
  for (Case of : ladders())
    for (const bool ladder : {true, false}) {
      SCOPED_TRACE(fmt::format("{}, {}", name_of(of), ladder));
      if (!ladder) of.heavier_masses.clear();
      const auto root = root_on(alone.lattice, of, {});
      root->measure(links);
      const auto [low, high] = root->range();
      for (double x = low; x <= high; x *= 1.05) {
        double log = 0;
        for (std::size_t step = 0; step <= of.heavier_masses.size(); ++step)
          log += of.fields * std::log(root->factor(static_cast<int>(step))(x));
        double expected = -0.25 * of.flavours * std::log(x);
        if (of.strange_mass)
          expected -= 0.25 * std::log(x + *of.strange_mass * *of.strange_mass - quarks.mass * quarks.mass);
        EXPECT_NEAR(log, expected, 1.1e-6 * of.fields * double(of.heavier_masses.size() + 1)) << x;
      }
    }
}

TEST(StaggeredMonomial, ForceIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 6, 8}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.3);
      for (const Case& of : cases()) {
        SCOPED_TRACE(name_of(of));
        RationalMonomial monomial("some", 0, root_on(alone.lattice, of, exact_solves), of.factors - 1,
                                  of.fields);
        const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
        monomial.draw(space.links(), 1, 4);
        test::expect_derivative(alone, monomial, links, 1e-8);
      }
    }
}

// |r(A) phi|^2 is near phi^dagger A^-1 phi, the action of four flavours, for r near x^(-1/2).
TEST(StaggeredMonomial, TwoFlavoursTwiceAreFour) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const Field links = alone.weak_links(0.3);
  const auto root = root_on(alone.lattice, {2}, exact_solves);
  SeaQuark& quark = *root->quark();
  root->measure(links);
  const RationalFunction& r = root->factor(0);
  Field phi = quark.vector(), once = quark.vector();
  draw_pseudofermion(phi, 3, 3, 3, alone.lattice.queue);
  std::vector<Field> x, exact{quark.vector()};
  for (int i = 0; i < r.degree(); ++i) x.push_back(quark.vector());
  quark.solve_shifts(x, phi, r.shifts(), 1e-13);
  quark.add(once, r.constant(), phi);
  for (std::size_t i = 0; i < x.size(); ++i) quark.add(once, r.residues()[i], x[i]);
  quark.solve_shifts(exact, phi, {0}, 1e-13);
  EXPECT_NEAR(quark.real_product(once, once) / quark.real_product(phi, exact[0]), 1, 2.1e-6);
}

// The lower end is m^2 without a margin, since no eigenvalue is below it.
TEST(StaggeredMonomial, HasARangeFromTheSquareOfItsMass) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const auto root = root_on(alone.lattice, {1}, {});
  root->measure(alone.weak_links(0.1));
  EXPECT_EQ(root->range().low, quarks.mass * quarks.mass);
  EXPECT_EQ(root->range().high, 1.1 * root->measured().high);
  const SpectralRange first = root->range();
  root->measure(alone.weak_links(0.2));
  EXPECT_EQ(root->range().low, first.low);
  InverseRoot fixed(root->quark(), {.tolerance = 1e-4, .factors = 1, .range = SpectralRange{0.01, 2}});
  try {
    fixed.measure(alone.weak_links(0.1));
    ADD_FAILURE() << "no failure";
  } catch (const MdFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("the eigenvalues of m^2 - D_eo D_oe/4 are from 0.04 to "),
              std::string::npos)
        << failure.what();
    EXPECT_NE(std::string(failure.what()).find("for m = 0.2, and"), std::string::npos) << failure.what();
  }
}

// Gauge action and quarks, on stout links.
HybridMonteCarlo chain_on(const SharedLattice& lattice, int steps, double length,
                          const MdSolverSettings& settings) {
  const auto root = root_on(lattice, {2, 2, 2, {1, 1, 1, -1}, 1}, settings);
  return HybridMonteCarlo(
      MolecularDynamics({{{Integrator::omelyan2, steps},
                          {std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                           std::make_shared<RationalMonomial>("one", 0, root, 0, 2),
                           std::make_shared<RationalMonomial>("two", 2, root, 1, 2)}}},
                        length),
      1);
}

TEST(StaggeredMonomial, TrajectoriesAreReversibleAndOfSecondOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 2, 6}, location);
    const auto trajectory = [&](int steps) {
      return test::reversible_delta_h(alone, chain_on(alone.lattice, steps, 0.5, {.force_tolerance = 1e-10}));
    };
    EXPECT_NEAR(std::log2(trajectory(8) / trajectory(16)), 2, 0.1);
  }
}

TEST(StaggeredMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        HybridMonteCarlo hmc = chain_on(lattice, 2, 0.1, {});
        PhaseSpace space(lattice, test::to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
        return test::trajectory_bits(hmc, space, geometry, grid);
      }));
}

}  // namespace
}  // namespace plaq::staggered_monomial_test

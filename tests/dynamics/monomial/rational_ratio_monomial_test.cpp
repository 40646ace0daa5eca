// Odd flavours and several pseudofermions of domain-wall quarks by rational functions of two operators: their
// draw, forces and trajectories.
#include "dynamics/monomial/rational_ratio_monomial.hpp"

#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/quark/domain_wall_sea_quark.hpp"
#include "dynamics/terms/hmc_action.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"
#include "tests/support/operators/domain_wall.hpp"

namespace plaq::rational_ratio_monomial_test {
namespace {

using test::LatticeAlone;
using test::Wall;
constexpr auto wide = Precision::double_precision;
const MdSolverSettings exact_solves{.force_tolerance = 1e-13, .action_tolerance = 1e-13};

struct Case {
  Wall wall;
  int Ls, flavours, fields;
};
std::vector<Case> cases() {
  return {{Wall::moebius, 4, 1, 1}, {Wall::shamir, 3, 2, 2}, {Wall::optimal, 2, 3, 2}};
}
std::string name_of(const Case& of) {
  return fmt::format("{}, Ls = {}, {} flavours, {} fields", test::name_of(of.wall), of.Ls, of.flavours,
                     of.fields);
}

// The term of hmc.
struct Term {
  HmcAction action;
  Monomial& monomial;

  Term(const SharedLattice& lattice, const Case& of, const MdSolverSettings& settings)
      : action(action_on(lattice, of, settings)), monomial(*action.levels.front().monomials.front()) {}
  SeaQuark& quark() { return *action.quarks.front().quark; }

 private:
  static HmcAction action_on(const SharedLattice& lattice, const Case& of, const MdSolverSettings& settings) {
    HmcSetup setup;
    setup.terms.quarks = {{"quarks"}};
    setup.terms.quarks.front().kind = test::wall_parameters(of.wall, of.Ls, 0.2);
    setup.terms.quarks.front().flavours = of.flavours;
    setup.terms.quarks.front().pseudofermions = of.fields;
    setup.gauge = wilson_gauge_action(5.6);
    setup.root.tolerance = 1e-5;
    setup.solver = settings;
    setup.scales = {{Integrator::omelyan2, 2}, {Integrator::omelyan2, 2}};
    return hmc_action(setup, lattice);
  }
};

TEST(RationalRatioMonomial, DrawsTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 2, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const Case& of : cases()) {
      SCOPED_TRACE(name_of(of));
      Term term(alone.lattice, of, exact_solves);
      EXPECT_EQ(term.monomial.name(), "quarks_rational_1");
      term.monomial.draw(links, 5, 8);
      Field eta = term.quark().vector(of.fields);
      term.quark().draw_vectors(eta, 5, 8, 0);
      EXPECT_NEAR(term.monomial.value(links) / term.quark().real_product(eta, eta), 1, 1e-11);
    }
  }
}

// The weight is (det A/det B)^(flavours/2).
TEST(RationalRatioMonomial, HasTheRootsOfItsFlavours) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({2, 2, 2, 2});
  const Field links = alone.weak_links(0.3);
  for (const Case& of : cases()) {
    SCOPED_TRACE(name_of(of));
    Term term(alone.lattice, of, {});
    ASSERT_EQ(term.action.roots.size(), 2u);
    for (const auto& root : term.action.roots) root.root->measure(links);
    const auto& [light, heavy] = std::tie(term.action.roots[0], term.action.roots[1]);
    EXPECT_EQ(light.quarks, "quarks");
    EXPECT_EQ(heavy.quarks, "quarks_pauli_villars");
    const double power = 0.5 * of.flavours / of.fields, x = 0.9;
    EXPECT_NEAR(light.root->factor(0)(x) * std::pow(x, power), 1, 1.1e-5);
    EXPECT_NEAR(heavy.root->factor(0)(x) * std::pow(x, power / 2), 1, 1.1e-5);
    const auto walls = [](const HmcAction::Root& root) {
      return dynamic_cast<const DomainWallSeaQuark&>(*root.root->quark()).parameters().mass;
    };
    EXPECT_EQ(walls(light), 0.2);
    EXPECT_EQ(walls(heavy), 1);
  }
}

TEST(RationalRatioMonomial, ForceIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Case& of : cases()) {
      SCOPED_TRACE(name_of(of));
      const LatticeAlone alone(of.fields > 1 ? Extents{4, 2, 2, 2} : Extents{2, 2, 2, 2}, location);
      const Field links = alone.weak_links(0.3);
      Term term(alone.lattice, of, exact_solves);
      term.monomial.draw(links, 1, 4);
      test::expect_derivative(alone, term.monomial, links, 1e-9);
    }
}

TEST(RationalRatioMonomial, TrajectoriesAreReversible) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 2, 2}, location);
    Term term(alone.lattice, cases()[1], {.force_tolerance = 1e-10});
    const MolecularDynamics dynamics(term.action.levels, 0.5);
    EXPECT_LT(std::abs(test::reversible_delta_h(alone, HybridMonteCarlo(dynamics, 1))), 1);
  }
}

TEST(RationalRatioMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 2, 4};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        Term term(lattice, cases()[1], {});
        HybridMonteCarlo hmc(MolecularDynamics(term.action.levels, 0.1), 1);
        PhaseSpace space(lattice, test::to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
        return test::trajectory_bits(hmc, space, geometry, grid);
      }));
}

}  // namespace
}  // namespace plaq::rational_ratio_monomial_test

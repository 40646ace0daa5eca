// One flavour by a rational function: its draw, values, forces, and two of them against two flavours.
#include "dynamics/monomial/rational_monomial.hpp"

#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/rational/zolotarev.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::rational_monomial_test {
namespace {

using test::LatticeAlone;

RationalApproximation inverse_root(double high) { return zolotarev({high / 1000, high}, 5); }

constexpr SpectralRange range{0.08, 80};

WilsonParameters clover() { return {.mass = WilsonParameters::mass_of_kappa(0.115), .clover = {1.3, 1.3}}; }

std::shared_ptr<WilsonQuark> quark_of(const LatticeAlone& alone, const WilsonParameters& parameters) {
  return std::make_shared<WilsonQuark>(alone.lattice, parameters,
                                       MdSolverSettings{.force_tolerance = 1e-13, .action_tolerance = 1e-13});
}

TEST(RationalMonomial, DrawsTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const auto& parameters : {WilsonParameters{.mass = 0.3}, clover()}) {
      const auto quark = quark_of(alone, parameters);
      RationalMonomial monomial("one", 20, quark, inverse_root(range.high));
      monomial.draw(links, 5, 8);
      EXPECT_GT(monomial.measured().low, range.low);
      EXPECT_LT(monomial.measured().high, range.high);
      Field eta = quark->vector();
      draw_pseudofermion(eta, 5, 8, 20, alone.lattice.queue);
      EXPECT_NEAR(monomial.value(links) / quark->real_product(eta, eta), 1, 1e-11);
    }
  }
}

TEST(RationalMonomial, ForceIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 6, 4}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.3);
      for (const auto& parameters : {WilsonParameters{.mass = 0.3}, clover()}) {
        RationalMonomial monomial("one", 0, quark_of(alone, parameters), inverse_root(range.high));
        monomial.draw(links, 1, 4);
        test::expect_derivative(alone, monomial, links, 1e-8);
      }
    }
}

// phi^dagger r(Q^2)^2 phi is |r(Q^2) phi|^2; near phi^dagger Q^-2 phi, which two flavours have.
TEST(RationalMonomial, TwiceIsNearTwoFlavours) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const Field links = alone.weak_links(0.3);
  const auto quark = quark_of(alone, clover());
  quark->update(links);
  const RationalFunction r = inverse_root(range.high).function;
  Field phi = quark->vector(), once = quark->vector(), exact = quark->vector();
  draw_pseudofermion(phi, 3, 3, 3, alone.lattice.queue);
  std::vector<Field> x;
  for (int i = 0; i < r.degree(); ++i) x.push_back(quark->vector());
  quark->solve_shifts(x, phi, r.shifts(), 1e-13);
  quark->add(once, r.constant(), phi);
  for (std::size_t i = 0; i < x.size(); ++i) quark->add(once, r.residues()[i], x[i]);
  quark->solve(exact, phi, 0, 1e-13);
  EXPECT_NEAR(quark->real_product(once, once) / quark->real_product(phi, exact), 1,
              2.1 * inverse_root(range.high).delta);
}

TEST(RationalMonomial, RefusesASpectrumBeyondItsRange) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const Field start = alone.weak_links(0.3);
  const auto quark = quark_of(alone, clover());
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.6)),
                    one = std::make_shared<RationalMonomial>("one", 0, quark, inverse_root(10));
  HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::leapfrog, 2}, {gauge, one}}}, 0.1), 1);
  PhaseSpace space(alone.lattice, start, hmc.halo_depth());
  const auto report = hmc.trajectory(space, 0);
  EXPECT_FALSE(report.accepted);
  EXPECT_NE(report.failure.find("one: the eigenvalues of Q^2 are from"), std::string::npos) << report.failure;
  EXPECT_NE(report.failure.find("good from 0.01 to 10; take a wider range"), std::string::npos);
}

TEST(RationalMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  test::for_all_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        const auto quark = std::make_shared<WilsonQuark>(lattice, clover(), MdSolverSettings{});
        const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                          one = std::make_shared<RationalMonomial>("one", 0, quark, inverse_root(range.high));
        HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::leapfrog, 2}, {gauge, one}}}, 0.1), 1);
        PhaseSpace space(lattice, test::to_plaq(links, geometry, Precision::double_precision, location),
                         hmc.halo_depth());
        const auto report = hmc.trajectory(space, 1);
        EXPECT_EQ(report.failure, "");
        return std::vector<std::uint64_t>{std::bit_cast<std::uint64_t>(report.delta_h),
                                          std::bit_cast<std::uint64_t>(report.forces.at(1).mean_square)};
      }));
}

}  // namespace
}  // namespace plaq::rational_monomial_test

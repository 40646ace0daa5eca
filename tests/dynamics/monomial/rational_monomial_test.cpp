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

constexpr SpectralRange range{0.08, 80};

// A function of 5 poles on a fixed range, high / low = 1000, in so many factors.
InverseRootSettings five_poles(double high = range.high, int factors = 1) {
  const SpectralRange on{high / 1000, high};
  return {1.001 * zolotarev_delta(on, 5), factors, on};
}

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
      const auto root = std::make_shared<InverseRoot>(quark, five_poles());
      RationalMonomial monomial("one", 20, root);
      EXPECT_NEAR(draw_deviation(monomial, 20, *quark, links, 5, 8), 0, 1e-11);
      EXPECT_EQ(root->factor(0).degree(), 5);
      EXPECT_GT(root->measured().low, range.low);
      EXPECT_LT(root->measured().high, range.high);
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
        RationalMonomial monomial("one", 0,
                                  std::make_shared<InverseRoot>(quark_of(alone, parameters), five_poles()));
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
  const RationalFunction r = zolotarev(range, 5).function;
  Field phi = quark->vector(), once = quark->vector(), exact = quark->vector();
  draw_pseudofermion(phi, 3, 3, 3, alone.lattice.queue);
  std::vector<Field> x;
  for (int i = 0; i < r.degree(); ++i) x.push_back(quark->vector());
  quark->solve_shifts(x, phi, r.shifts(), 1e-13);
  quark->add(once, r.constant(), phi);
  for (std::size_t i = 0; i < x.size(); ++i) quark->add(once, r.residues()[i], x[i]);
  quark->solve(exact, phi, 0, 1e-13);
  EXPECT_NEAR(quark->real_product(once, once) / quark->real_product(phi, exact), 1,
              2.1 * zolotarev_delta(range, 5));
}

TEST(RationalMonomial, RefusesASpectrumBeyondItsRange) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const Field start = alone.weak_links(0.3);
  const auto quark = quark_of(alone, clover());
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.6)),
                    one = std::make_shared<RationalMonomial>(
                        "one", 0, std::make_shared<InverseRoot>(quark, five_poles(10)));
  HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::leapfrog, 2}, {gauge, one}}}, 0.1), 1);
  PhaseSpace space(alone.lattice, start, hmc.halo_depth());
  const auto report = hmc.trajectory(space, 0);
  EXPECT_FALSE(report.accepted);
  EXPECT_NE(report.failure.find("the eigenvalues of Q^2 are from"), std::string::npos) << report.failure;
  EXPECT_NE(report.failure.find("good from 0.01 to 10; take a wider range"), std::string::npos);
}

// The product of the factors is r: their values, with one source, are those of a chain of functions.
TEST(RationalMonomial, FactorsOfAFunctionDrawTheirOwnDistributions) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  const Field links = alone.weak_links(0.3);
  const auto quark = quark_of(alone, clover());
  const auto root = std::make_shared<InverseRoot>(quark, five_poles(range.high, 3));
  const RationalFunction whole = zolotarev(range, 5).function;
  for (const double x : {0.1, 1.0, 60.0})
    EXPECT_NEAR(root->factor(0)(x) * root->factor(1)(x) * root->factor(2)(x) / whole(x), 1, 1e-13);
  EXPECT_EQ(root->factor(0).degree(), 2);
  EXPECT_EQ(root->factor(2).degree(), 1);
  for (int k = 0; k < 3; ++k) {
    RationalMonomial monomial("one", 20 + k, root, k);
    monomial.draw(links, 5, 8);
    Field eta = quark->vector();
    draw_pseudofermion(eta, 5, 8, 20 + k, alone.lattice.queue);
    EXPECT_NEAR(monomial.value(links) / quark->real_product(eta, eta), 1, 1e-11) << k;
    test::expect_derivative(alone, monomial, links, 1e-8);
  }
}

TEST(InverseRoot, MeasuresItsRangeAndExtendsIt) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const Field smooth = alone.weak_links(0.1), rough = alone.weak_links(0.6);
  InverseRoot root(quark_of(alone, clover()), {.tolerance = 1e-6});
  EXPECT_EQ(root.range().high, 0);
  root.measure(smooth);
  const SpectralRange first = root.measured();
  EXPECT_EQ(root.range().low, 0.5 * first.low);
  EXPECT_EQ(root.range().high, 1.1 * first.high);
  for (const double x : {first.low, std::sqrt(first.low * first.high), first.high})
    EXPECT_NEAR(root.factor(0)(x) * std::sqrt(x), 1, 1e-6);
  root.go_on_from({0.9 * first.low, 0.9 * first.high});  // the spectrum leaves it above
  root.measure(rough);
  root.measure(smooth);
  EXPECT_GE(root.range().high, 1.1 * first.high);
  EXPECT_LE(root.range().low, 0.9 * first.low);
  InverseRoot again(quark_of(alone, clover()), {.tolerance = 1e-6});
  again.go_on_from(root.range());
  again.measure(smooth);
  EXPECT_EQ(again.range().low, root.range().low);
  for (int i = 0; i < root.factor(0).degree(); ++i)
    EXPECT_EQ(again.factor(0).shifts().at(static_cast<std::size_t>(i)),
              root.factor(0).shifts().at(static_cast<std::size_t>(i)));
  again.forget();
  again.measure(smooth);
  EXPECT_EQ(again.range().low, 0.5 * first.low);
}

TEST(InverseRoot, RefusesMoreFactorsThanPoles) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({2, 2, 2, 2});
  EXPECT_THROW(InverseRoot(quark_of(alone, clover()), {1e-2, 16, SpectralRange{0.5, 2}}), Error);
}

TEST(RationalMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto links = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        const auto quark = std::make_shared<WilsonQuark>(lattice, clover(), MdSolverSettings{});
        const auto root = std::make_shared<InverseRoot>(quark, InverseRootSettings{1e-4, 2, {}});
        const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                          one = std::make_shared<RationalMonomial>("one", 0, root, 0),
                          two = std::make_shared<RationalMonomial>("two", 1, root, 1);
        HybridMonteCarlo hmc(MolecularDynamics({{{Integrator::leapfrog, 2}, {gauge, one, two}}}, 0.1), 1);
        PhaseSpace space(lattice, test::to_plaq(links, geometry, Precision::double_precision, location),
                         hmc.halo_depth());
        const auto report = hmc.trajectory(space, 1);
        EXPECT_EQ(report.failure, "");
        return std::vector<std::uint64_t>{std::bit_cast<std::uint64_t>(report.delta_h),
                                          std::bit_cast<std::uint64_t>(report.forces.at(1).mean_square),
                                          std::bit_cast<std::uint64_t>(report.forces.at(2).mean_square),
                                          std::bit_cast<std::uint64_t>(root->range().low)};
      }));
}

}  // namespace
}  // namespace plaq::rational_monomial_test

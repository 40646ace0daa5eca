// Chains of two flavours on 4^4 against plaquettes of tmLQCD: sample-hmc0.input and
// sample-hmc-cloverdet.input, whose twist is 2 kappa mu = 0.177; on 2^4 against the exact determinant.
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::two_flavour_ensemble_test {
namespace {

struct Measured {
  test::BlockedMean plaquette, weight;  // exp(-dH)
};

// The trajectories from number `first` to `end`; those before them thermalise.
Measured measured(HybridMonteCarlo& hmc, PhaseSpace& space, std::uint32_t first, std::uint32_t end) {
  Measured means;
  for (std::uint32_t number = 0; number < end; ++number) {
    const auto report = hmc.trajectory(space, number);
    EXPECT_EQ(report.failure, "");
    if (number < first) continue;
    const SharedLattice& lattice = space.lattice();
    means.plaquette.add(average_plaquette(*lattice.grid, space.links(), lattice.queue).all);
    means.weight.add(std::exp(-report.delta_h));
  }
  return means;
}

void expect_plaquette(double beta, const WilsonParameters& parameters, int steps, double plaquette,
                      double error) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({4, 4, 4, 4});
  const auto quark = std::make_shared<WilsonQuark>(alone.lattice, parameters, MdSolverSettings());
  std::vector<MonomialPtr> quarks{std::make_shared<PairMonomial>("quarks", 0, quark, 0)};
  if (parameters.has_clover_determinant())
    quarks.push_back(std::make_shared<DeterminantMonomial>("determinant", quark, 2));
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(beta));
  HybridMonteCarlo hmc(
      MolecularDynamics({{{Integrator::omelyan2, steps}, quarks}, {{Integrator::omelyan2, 4}, {gauge}}}, 1),
      5);
  PhaseSpace space(alone.lattice, alone.weak_links(0.6), hmc.halo_depth());
  const auto [mean, weight] = measured(hmc, space, 60, 260);
  EXPECT_LT(mean.error(), 0.003);
  EXPECT_NEAR(mean.mean(), plaquette, 4 * std::hypot(mean.error(), error));
  EXPECT_NEAR(weight.mean(), 1, 4 * weight.error());
}

TEST(TwoFlavourEnsemble, OfTwistedMass) {
  expect_plaquette(6.0, {.mass = WilsonParameters::mass_of_kappa(0.177), .twisted_mass = 0.5}, 6, 0.62450,
                   0.00005);
}

TEST(TwoFlavourEnsemble, OfClover) {
  expect_plaquette(5.6, {.mass = WilsonParameters::mass_of_kappa(0.138), .clover = {1.76, 1.76}}, 8, 0.5905,
                   0.0003);
}

// 2^4 by quenched fields that are accepted with the dense determinant (docs/theory/dynamical.md).
void expect_exact_plaquette(WilsonQuark::Form form, std::optional<double> twist,
                            std::optional<double> heavier_mass) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({2, 2, 2, 2});
  const auto quark_of = [&](double mass) {
    return std::make_shared<WilsonQuark>(alone.lattice, WilsonParameters{.mass = mass, .clover = {1, 1}},
                                         MdSolverSettings(), QuarkLinks{}, form);
  };
  const auto quark = quark_of(WilsonParameters::mass_of_kappa(0.12048192771));
  const PairOperator light{quark};
  const PairOperator heavy =
      heavier_mass ? PairOperator{quark_of(*heavier_mass)} : PairOperator{quark, twist.value_or(0)};
  std::vector<MonomialPtr> quarks{std::make_shared<PairMonomial>("heavy", 0, heavy)};
  if (twist || heavier_mass) quarks.push_back(std::make_shared<PairMonomial>("ratio", 1, light, heavy));
  quarks.push_back(std::make_shared<DeterminantMonomial>("determinant", quark, 2,
                                                         form == WilsonQuark::Form::symmetric ? 2 : 0));
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.0));
  HybridMonteCarlo hmc(
      MolecularDynamics({{{Integrator::omelyan2, 4}, quarks}, {{Integrator::omelyan2, 2}, {gauge}}}, 1), 6);
  PhaseSpace space(alone.lattice, alone.weak_links(0.5), hmc.halo_depth());
  const auto [mean, weight] = measured(hmc, space, 100, 1100);
  testing::Test::RecordProperty("plaquette",
                                std::to_string(mean.mean()) + " +- " + std::to_string(mean.error()));
  EXPECT_LT(mean.error(), 0.004);
  EXPECT_NEAR(mean.mean(), 0.5470, 4 * std::hypot(mean.error(), 0.0015));
  EXPECT_NEAR(weight.mean(), 1, 4 * weight.error());
}

TEST(TwoFlavourEnsemble, OfTheSymmetricForm) { expect_exact_plaquette(WilsonQuark::Form::symmetric, {}, {}); }

TEST(TwoFlavourEnsemble, OfTheSymmetricFormWithATwist) {
  expect_exact_plaquette(WilsonQuark::Form::symmetric, 0.5, {});
}

TEST(TwoFlavourEnsemble, OfAHeavierMass) { expect_exact_plaquette(WilsonQuark::Form::asymmetric, {}, 0.6); }

TEST(TwoFlavourEnsemble, OfAHeavierMassInTheSymmetricForm) {
  expect_exact_plaquette(WilsonQuark::Form::symmetric, {}, 0.6);
}

// Two pseudofermions, each with a square root of the determinant.
TEST(TwoFlavourEnsemble, OfTwoPseudofermions) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const test::LatticeAlone alone({2, 2, 2, 2});
  const auto quark = std::make_shared<WilsonQuark>(
      alone.lattice,
      WilsonParameters{.mass = WilsonParameters::mass_of_kappa(0.12048192771), .clover = {1, 1}},
      MdSolverSettings());
  InverseRootSettings settings{1e-6, 1, SpectralRange{0.05, 80}};
  const auto root = std::make_shared<InverseRoot>(quark, settings);
  std::vector<MonomialPtr> quarks{std::make_shared<RationalMonomial>("quarks", 0, root, 0, 2),
                                  std::make_shared<DeterminantMonomial>("determinant", quark, 2)};
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(alone.lattice, wilson_gauge_action(5.0));
  HybridMonteCarlo hmc(
      MolecularDynamics({{{Integrator::omelyan2, 3}, quarks}, {{Integrator::omelyan2, 3}, {gauge}}}, 1), 6);
  PhaseSpace space(alone.lattice, alone.weak_links(0.5), hmc.halo_depth());
  const auto [mean, weight] = measured(hmc, space, 100, 1100);
  testing::Test::RecordProperty("plaquette",
                                std::to_string(mean.mean()) + " +- " + std::to_string(mean.error()));
  EXPECT_LT(mean.error(), 0.004);
  EXPECT_NEAR(mean.mean(), 0.5470, 4 * std::hypot(mean.error(), 0.0015));
  EXPECT_NEAR(weight.mean(), 1, 4 * weight.error());
}

}  // namespace
}  // namespace plaq::two_flavour_ensemble_test

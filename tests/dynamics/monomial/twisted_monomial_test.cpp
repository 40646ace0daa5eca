// Pseudofermions of two flavours and of Hasenbusch's ratios: their draw, values, forces and trajectories.
#include "dynamics/monomial/twisted_monomial.hpp"

#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/reference/clover.hpp"

namespace plaq::twisted_monomial_test {
namespace {

using test::LatticeAlone;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

WilsonParameters wilson() { return {.mass = WilsonParameters::mass_of_kappa(0.14)}; }
WilsonParameters clover() {
  return {.mass = WilsonParameters::mass_of_kappa(0.125), .boundary = {1, -1, 1, -1}, .clover = {1.3, 1.3}};
}
WilsonParameters anisotropic() { return {.mass = 0.2, .xi = 2.1, .nu = 0.9, .clover = {0.5, 0.8}}; }

WilsonParameters exponential() {
  return {
      .mass = WilsonParameters::mass_of_kappa(0.13), .boundary = {-1, 1, 1, -1}, .clover = {1.5, 1.5, true}};
}

WilsonParameters twisted() { return {.mass = WilsonParameters::mass_of_kappa(0.15), .twisted_mass = 0.2}; }
WilsonParameters twisted_clover() {
  return {.mass = WilsonParameters::mass_of_kappa(0.125),
          .boundary = {1, -1, 1, -1},
          .clover = {1.3, 1.3},
          .twisted_mass = -0.15};
}

struct Case {
  const char* name;
  WilsonParameters parameters;
  double mu;
  std::optional<double> heavier;
};
std::vector<Case> cases() {
  return {{"wilson", wilson(), 0, {}},
          {"clover", clover(), 0, {}},
          {"clover, mu 0.4", clover(), 0.4, {}},
          {"clover, ratio 0 to 0.4", clover(), 0, 0.4},
          {"wilson, ratio 0.1 to 0.5", wilson(), 0.1, 0.5},
          {"anisotropic, mu 0.2", anisotropic(), 0.2, {}},
          {"exponential, mu 0.2", exponential(), 0.2, {}},
          {"exponential, ratio 0 to 0.4", exponential(), 0, 0.4},
          {"twisted mass", twisted(), 0, {}},
          {"twisted mass, ratio 0.1 to 0.5", twisted(), 0.1, 0.5},
          {"twisted mass, clover", twisted_clover(), 0, {}},
          {"twisted mass, clover, mu 0.3", twisted_clover(), 0.3, {}},
          {"twisted mass, clover, ratio 0 to 0.4", twisted_clover(), 0, 0.4}};
}

// Tighter than a chain needs: what is left is rounding.
MdSolverSettings exact_solves() { return {.force_tolerance = 1e-13, .action_tolerance = 1e-13}; }

TwistedMonomial monomial_of(const SharedLattice& lattice, const Case& c, const MdSolverSettings& settings) {
  return TwistedMonomial("quarks", 3, std::make_shared<WilsonQuark>(lattice, c.parameters, settings), c.mu,
                         c.heavier);
}

TEST(TwistedMonomial, DrawsTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const Case& c : cases()) {
      SCOPED_TRACE(c.name);
      auto monomial = monomial_of(alone.lattice, c, exact_solves());
      Field eta(alone.geometry, spinor_spec(Subset::even, 1, wide, location));
      draw_pseudofermion(eta, 5, 8, 3, alone.lattice.queue);
      WilsonQuark quark(alone.lattice, c.parameters, {});
      const double norm = quark.real_product(eta, eta);
      EXPECT_NEAR(draw_deviation(monomial, 3, quark, links, 5, 8), 0, 1e-11);
      EXPECT_NEAR(norm / (12 * 64), 1, 0.15);  // <|eta_k|^2> = 1
    }
  }
}

// phi^dagger (S^dagger S)^-1 phi = |(M^-1 gamma5 phi)_even|^2 by a solver of the whole matrix; M of the other
// flavour with a twisted mass.
TEST(TwistedMonomial, ValueIsThatOfTheWholeMatrix) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 2, 4});
  reference::Generator generator(5);
  const auto gauge = reference::weak_gauge({alone.geometry->global()}, generator, 0.3);
  const Field links = to_plaq(gauge, alone.geometry, wide, Location::host);
  for (const auto& parameters : {wilson(), clover(), exponential(), twisted(), twisted_clover()}) {
    const auto quark = std::make_shared<WilsonQuark>(alone.lattice, parameters, exact_solves());
    TwistedMonomial monomial("quarks", 0, quark, 0);
    monomial.draw(links, 1, 1);
    Field eta = quark->vector(), phi = quark->vector();
    draw_pseudofermion(eta, 1, 1, 0, alone.lattice.queue);
    quark->apply(phi, eta, 0, true);
    Field full(alone.geometry, spinor_spec(Subset::full, 1, wide, Location::host));
    copy_parity(full, phi, 0, alone.lattice.queue);
    auto source = test::from_vector<reference::SpinorField>(test::to_vectors(full).at(0));
    for (auto& spinor : source)
      for (int s = 2; s < 4; ++s)
        for (auto& z : spinor[static_cast<std::size_t>(s)]) z = -z;
    const auto& p = parameters;
    const reference::CloverParameters same{{p.mass, p.xi, p.nu, p.boundary},
                                           p.clover.spatial,
                                           p.clover.temporal,
                                           p.clover.exponential,
                                           -p.twisted_mass};
    const auto x = solve(same, gauge, clover_matrices(same, gauge), source).x;
    double norm = 0;
    for (std::size_t site = 0; site < x.size(); ++site)
      if (gauge.lattice.parity(static_cast<int>(site)) == 0)
        for (const auto& color : x[site])
          for (const auto& z : color) norm += std::norm(z);
    EXPECT_NEAR(monomial.value(links) / norm, 1, 1e-10);
  }
}

TEST(TwistedMonomial, ForceIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 6, 4}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.3);
      for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        auto monomial = monomial_of(alone.lattice, c, exact_solves());
        monomial.draw(links, 1, 4);
        test::expect_derivative(alone, monomial, links, 1e-8);
      }
      for (const auto& parameters : {clover(), twisted_clover()}) {
        DeterminantMonomial determinant(
            "determinant", std::make_shared<WilsonQuark>(alone.lattice, parameters, exact_solves()), 2);
        test::expect_derivative(alone, determinant, links, 1e-8);
      }
    }
}

// A chain of a gauge action and two flavours, with the ladder of `twists` from the heaviest to 0.
HybridMonteCarlo two_flavours(const SharedLattice& lattice, double beta, const WilsonParameters& parameters,
                              const std::vector<double>& twists, const MdSolverSettings& settings,
                              const TimeScale& outer, const TimeScale& inner, double length) {
  const auto quark = std::make_shared<WilsonQuark>(lattice, parameters, settings);
  std::vector<MonomialPtr> quarks{
      std::make_shared<TwistedMonomial>("heaviest", 0, quark, twists.empty() ? 0 : twists[0])};
  for (std::size_t k = 0; k < twists.size(); ++k)
    quarks.push_back(std::make_shared<TwistedMonomial>("ratio " + std::to_string(k), static_cast<int>(k) + 1,
                                                       quark, k + 1 < twists.size() ? twists[k + 1] : 0,
                                                       twists[k]));
  if (parameters.has_clover())
    quarks.push_back(std::make_shared<DeterminantMonomial>("determinant", quark, 2));
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(beta));
  return HybridMonteCarlo(MolecularDynamics({{outer, quarks}, {inner, {gauge}}}, length), 31);
}

TEST(TwoFlavours, HaveTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 8};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_all_geometries(
      extents, test::same_as_alone(
                   extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                     const auto lattice = test::shared_lattice(grid, geometry, location);
                     std::vector<std::uint64_t> bits;
                     for (const auto& parameters : {clover(), twisted_clover()}) {
                       auto hmc = two_flavours(lattice, 5.6, parameters, {0.4}, {}, {Integrator::omelyan2, 1},
                                               {Integrator::leapfrog, 2}, 0.2);
                       PhaseSpace space(lattice, to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
                       const auto report = hmc.trajectory(space, 1);
                       Field plain(geometry, space.links().spec());
                       copy(plain, space.links());
                       bits.push_back(std::bit_cast<std::uint64_t>(report.delta_h));
                       bits.push_back(test::fingerprint(plain, grid));
                       for (const auto& force : report.forces)
                         bits.push_back(std::bit_cast<std::uint64_t>(force.mean_square));
                     }
                     return bits;
                   }));
}

TEST(TwoFlavours, LeadBackWithReversedMomenta) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    for (const auto& parameters : {clover(), twisted_clover()}) {
      const LatticeAlone alone({4, 4, 4, 4}, location);
      auto hmc = two_flavours(alone.lattice, 5.6, parameters, {0.3}, {.force_tolerance = 1e-10},
                              {Integrator::omelyan2, 4}, {Integrator::omelyan2, 3}, 1);
      PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
      TrajectoryOptions options;
      options.check_reversibility = true;
      const auto report = hmc.trajectory(space, 1, options);
      EXPECT_EQ(report.failure, "");
      ASSERT_TRUE(report.reversibility);
      EXPECT_LT(report.reversibility->links, 1e-10);
      EXPECT_LT(report.reversibility->energy, 1e-8);
      EXPECT_LT(std::abs(report.delta_h), 1);
      // The way back counts no iterations.
      PhaseSpace same(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
      const auto forward = hmc.trajectory(same, 1);
      EXPECT_EQ(forward.iterations, report.iterations);
      EXPECT_GT(report.iterations.at(0), 100);
      EXPECT_EQ(report.iterations.size(), 4U);
    }
  }
}

TEST(TwoFlavours, ASolveThatFailsIsARejectedTrajectory) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const Field start = alone.weak_links(0.3);
  MdSolverSettings settings;
  settings.max_iterations = 5;
  auto hmc = two_flavours(alone.lattice, 5.6, clover(), {}, settings, {Integrator::leapfrog, 4},
                          {Integrator::leapfrog, 1}, 1);
  PhaseSpace space(alone.lattice, start, hmc.halo_depth());
  const auto report = hmc.trajectory(space, 1);
  EXPECT_FALSE(report.accepted);
  EXPECT_NE(report.failure.find("conjugate gradients for kappa = 0.125"), std::string::npos)
      << report.failure;
  EXPECT_NE(report.failure.find("after 5 iterations"), std::string::npos) << report.failure;
  EXPECT_EQ(largest_link_distance(alone.grid, space.links(), start, alone.lattice.queue), 0);
}

TEST(TwoFlavours, LinksThatAreNoNumbersRejectTheTrajectory) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const Field good = alone.weak_links(0.3);
  Field bad(good.geometry_ptr(), good.spec());
  copy(bad, good);
  set_real(bad, 1, 0, 3, 4, NAN);
  bad.touch();
  for (const auto& parameters : {wilson(), clover()}) {
    WilsonQuark quark(alone.lattice, parameters, {});
    quark.update(good);
    EXPECT_THROW(quark.update(bad), MdFailure);
    quark.update(good);
    Field x = quark.vector(), b = quark.vector();
    draw_pseudofermion(b, 1, 1, 0, alone.lattice.queue);
    quark.solve(x, b, 0.1, 1e-8);
  }
}

// <exp(-dH)> = 1, and Schwinger and Dyson: <F_gauge (F_gauge + F_quarks)> = 8 beta <P> a link, for two
// ladders.
TEST(TwoFlavours, HaveTheDistributionOfTheirAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({2, 2, 2, 2});
  const double beta = 5.0;
  WilsonParameters parameters{.mass = WilsonParameters::mass_of_kappa(0.12048192771), .clover = {1, 1}};
  for (const auto& twists : {std::vector<double>{}, {0.5}}) {
    SCOPED_TRACE(std::to_string(twists.size()) + " twists");
    auto hmc = two_flavours(alone.lattice, beta, parameters, twists, {}, {Integrator::omelyan2, 3},
                            {Integrator::omelyan2, 2}, 0.8);
    PhaseSpace space(alone.lattice, alone.weak_links(0.5), hmc.halo_depth());
    Field gauge(space.momenta().geometry_ptr(), space.momenta().spec()),
        one(gauge.geometry_ptr(), gauge.spec()), total(gauge.geometry_ptr(), gauge.spec());
    test::BlockedMean weight, identity;
    for (std::uint32_t number = 0; number < 200; ++number) {
      const auto report = hmc.trajectory(space, number);
      if (number < 40) continue;
      weight.add(std::exp(-report.delta_h));
      // Pseudofermions drawn at these links.
      const auto monomials = hmc.dynamics().monomials();
      const Queue& queue = alone.lattice.queue;
      copy(total, gauge);
      kick(total, gauge, 1, queue);  // 0
      for (Monomial* monomial : monomials) {
        monomial->draw(space.links(), 77, number);
        const bool of_gauge = monomial->name() == "gauge";
        monomial->force(of_gauge ? gauge : one, space.links());
        kick(total, of_gauge ? gauge : one, -1, queue);
      }
      const double product = derivative_along(alone.grid, gauge, total, queue) / 64;
      identity.add(product - 8 * beta * average_plaquette(alone.grid, space.links(), queue).all);
    }
    EXPECT_NEAR(weight.mean(), 1, 4 * weight.error());
    EXPECT_LT(weight.error(), 0.02);
    EXPECT_NEAR(identity.mean(), 0, 4 * identity.error());
    EXPECT_LT(identity.error(), 0.6);  // of 22
  }
}

}  // namespace
}  // namespace plaq::twisted_monomial_test

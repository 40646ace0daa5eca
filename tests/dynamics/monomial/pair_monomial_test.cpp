// Pseudofermions of two flavours and of Hasenbusch's ratios: their draw, values, forces and trajectories.
#include "dynamics/monomial/pair_monomial.hpp"

#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/dirac/twist/twist.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/reference/clover.hpp"

namespace plaq::pair_monomial_test {
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

WilsonParameters twisted_exponential() {
  return {.mass = WilsonParameters::mass_of_kappa(0.13),
          .boundary = {-1, 1, 1, -1},
          .clover = {1.5, 1.7, true},
          .twisted_mass = 0.25};
}

using Form = WilsonQuark::Form;

struct Case {
  const char* name;
  WilsonParameters parameters;
  double mu;
  std::optional<double> heavier = {};  // twist
  Form form = Form::asymmetric;
  std::optional<double> heavier_mass = {};  // and no twist of these quarks
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
          {"twisted mass, clover, ratio 0 to 0.4", twisted_clover(), 0, 0.4},
          {"twisted mass, exponential", twisted_exponential(), 0, {}},
          {"twisted mass, exponential, ratio 0.1 to 0.4", twisted_exponential(), 0.1, 0.4},
          {"twisted mass, exponential, symmetric, ratio 0 to 0.4", twisted_exponential(), 0, 0.4,
           Form::symmetric},
          {"masses, twisted mass, exponential", twisted_exponential(), 0, {}, Form::asymmetric, 0.4},
          {"symmetric, wilson", wilson(), 0, {}, Form::symmetric},
          {"symmetric, clover", clover(), 0, {}, Form::symmetric},
          {"symmetric, wilson, ratio 0.1 to 0.5", wilson(), 0.1, 0.5, Form::symmetric},
          {"symmetric, clover, ratio 0 to 0.4", clover(), 0, 0.4, Form::symmetric},
          {"symmetric, anisotropic, mu 0.2", anisotropic(), 0.2, {}, Form::symmetric},
          {"symmetric, exponential, ratio 0.1 to 0.4", exponential(), 0.1, 0.4, Form::symmetric},
          {"symmetric, twisted mass", twisted(), 0, {}, Form::symmetric},
          {"symmetric, twisted mass, clover, ratio 0 to 0.4", twisted_clover(), 0, 0.4, Form::symmetric},
          {"masses, wilson", wilson(), 0, {}, Form::asymmetric, 0.3},
          {"masses, clover", clover(), 0, {}, Form::asymmetric, 0.4},
          {"masses, exponential", exponential(), 0, {}, Form::asymmetric, 0.4},
          {"masses, anisotropic, symmetric", anisotropic(), 0, {}, Form::symmetric, 0.5},
          {"masses, clover, symmetric", clover(), 0, {}, Form::symmetric, 0.4},
          {"masses, exponential, symmetric", exponential(), 0, {}, Form::symmetric, 0.4},
          {"masses, twisted mass, clover", twisted_clover(), 0, {}, Form::asymmetric, 0.4},
          {"masses, twisted mass, clover, symmetric", twisted_clover(), 0, {}, Form::symmetric, 0.4}};
}

// Tighter than a chain needs: what is left is rounding.
MdSolverSettings exact_solves() { return {.force_tolerance = 1e-13, .action_tolerance = 1e-13}; }

PairMonomial monomial_of(const SharedLattice& lattice, const Case& c, const MdSolverSettings& settings) {
  const auto quark_of = [&](double mass) {
    WilsonParameters parameters = c.parameters;
    parameters.mass = mass;
    return std::make_shared<WilsonQuark>(lattice, parameters, settings, QuarkLinks{}, c.form);
  };
  const auto light = quark_of(c.parameters.mass);
  if (c.heavier_mass)
    return PairMonomial("quarks", 3, PairOperator{light, c.mu}, PairOperator{quark_of(*c.heavier_mass), 0});
  return PairMonomial("quarks", 3, light, c.mu, c.heavier);
}

TEST(PairMonomial, DrawsTheDistributionOfItsAction) {
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
// flavour with a twisted mass. In the symmetric form it is |(C M^-1 gamma5 phi)_even|^2.
TEST(PairMonomial, ValueIsThatOfTheWholeMatrix) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 2, 4});
  reference::Generator generator(5);
  const auto gauge = reference::weak_gauge({alone.geometry->global()}, generator, 0.3);
  const Field links = to_plaq(gauge, alone.geometry, wide, Location::host);
  const std::vector<WilsonParameters> all{wilson(),  clover(),         exponential(),
                                          twisted(), twisted_clover(), twisted_exponential()};
  for (std::size_t k = 0; k < 2 * all.size(); ++k) {
    const WilsonParameters& parameters = all[k / 2];
    const Form form = k % 2 == 0 ? Form::asymmetric : Form::symmetric;
    const auto quark =
        std::make_shared<WilsonQuark>(alone.lattice, parameters, exact_solves(), QuarkLinks{}, form);
    PairMonomial monomial("quarks", 0, quark, 0);
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
    const auto c = clover_matrices(same, gauge);
    auto x = solve(same, gauge, c, source).x;
    if (form == Form::symmetric) {
      const auto turned = times(c, x);
      for (std::size_t site = 0; site < x.size(); ++site)
        for (std::size_t s = 0; s < 4; ++s)
          for (std::size_t color = 0; color < 3; ++color)
            x[site][s][color] = same.diagonal() * x[site][s][color] + turned[site][s][color];
    }
    double norm = 0;
    for (std::size_t site = 0; site < x.size(); ++site)
      if (gauge.lattice.parity(static_cast<int>(site)) == 0)
        for (const auto& color : x[site])
          for (const auto& z : color) norm += std::norm(z);
    EXPECT_NEAR(monomial.value(links) / norm, 1, 1e-10);
  }
}

TEST(PairMonomial, ForceIsTheDerivativeOfItsValue) {
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
      for (const auto& parameters : {clover(), twisted_clover(), twisted_exponential()})
        for (const double even : {0.0, 2.0}) {
          DeterminantMonomial determinant(
              "determinant", std::make_shared<WilsonQuark>(alone.lattice, parameters, exact_solves()), 2,
              even);
          test::expect_derivative(alone, determinant, links, 1e-8);
        }
    }
}

TEST(PairMonomial, ForceOnSmearedLinksIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  const Field links = alone.weak_links(0.3);
  for (const bool thin_clover : {false, true}) {
    const auto smeared = std::make_shared<SmearedLinks>(alone.lattice, StoutSmearing{0.12, false}, 2);
    const auto quark_of = [&](double mass) {
      WilsonParameters parameters = clover();
      parameters.mass = mass;
      return PairOperator{std::make_shared<WilsonQuark>(alone.lattice, parameters, exact_solves(),
                                                        QuarkLinks{smeared, thin_clover}, Form::symmetric)};
    };
    PairMonomial ratio("ratio", 0, quark_of(clover().mass), quark_of(0.4));
    ratio.draw(links, 1, 4);
    test::expect_derivative(alone, ratio, links, 1e-8);
  }
}

// The symmetric form with X_e in the place of X_e - S X_e in the variation of C: its force is that of the
// asymmetric form between X_e and C_e^-1 Y_e.
class WithoutVariationOfTheInverse final : public Monomial {
 public:
  WithoutVariationOfTheInverse(const LatticeAlone& alone, const WilsonParameters& parameters)
      : alone_(alone),
        parameters_(parameters),
        quark_(std::make_shared<WilsonQuark>(alone.lattice, parameters, exact_solves(), QuarkLinks{},
                                             Form::symmetric)),
        asymmetric_(alone.lattice, parameters, exact_solves()),
        right_("right", 0, quark_, 0) {}
  std::string name() const override { return "wrong"; }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override {
    right_.draw(links, seed, trajectory);
    phi_ = quark_->vector();
    Field eta = quark_->vector();
    draw_pseudofermion(eta, seed, trajectory, 0, alone_.lattice.queue);
    quark_->apply(phi_, eta, 0, true);
  }
  double value(const Field& links) override { return right_.value(links); }
  void force(Field& force, const Field& links) override {
    quark_->update(links);
    asymmetric_.update(links);
    Field x = quark_->vector(), y = quark_->vector();
    quark_->solve(x, phi_, 0, 1e-13);
    quark_->apply(y, x, 0, false);
    if (parameters_.has_clover()) {
      Field plain(alone_.geometry, gauge_spec(wide, Location::host));
      copy(plain, links);
      CloverField c(alone_.grid, plain, parameters_.diagonal(), parameters_.clover, alone_.lattice.queue,
                    alone_.lattice.transport);
      apply_clover(y, y, c.inverse(0), 0, ActiveSet(1), alone_.lattice.queue);
    } else {
      quark_->add(y, 1 / parameters_.diagonal() - 1, y);
    }
    asymmetric_.begin_force(force);
    asymmetric_.add_force(force, links, x, y);
    asymmetric_.finish_force(force, links);
  }

 private:
  const LatticeAlone& alone_;
  WilsonParameters parameters_;
  std::shared_ptr<WilsonQuark> quark_;
  WilsonQuark asymmetric_;
  PairMonomial right_;
  Field phi_;
};

TEST(PairMonomial, AForceWithoutTheVariationOfTheInverseIsFound) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  const Field links = alone.weak_links(0.3);
  WithoutVariationOfTheInverse plain(alone, wilson()), wrong(alone, clover());
  for (Monomial* monomial : {static_cast<Monomial*>(&plain), static_cast<Monomial*>(&wrong)})
    monomial->draw(links, 1, 4);
  test::expect_derivative(alone, plain, links, 1e-8);  // C is a number
  EXPECT_GT(std::abs(force_deviation(alone.lattice, wrong, links)), 1e-2);
}

// gamma5 S is not Hermitian in the symmetric form: phi = gamma5 S eta has another distribution, of which the
// force says nothing.
TEST(PairMonomial, APseudofermionOfGamma5SIsFoundInTheSymmetricForm) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  const Field links = alone.weak_links(0.3);
  const Queue& queue = alone.lattice.queue;
  for (const Form form : {Form::asymmetric, Form::symmetric}) {
    WilsonQuark quark(alone.lattice, clover(), exact_solves(), {}, form);
    quark.update(links);
    Field eta = quark.vector(), turned = quark.vector(), phi = quark.vector(), x = quark.vector();
    draw_pseudofermion(eta, 1, 4, 0, queue);
    quark.apply(turned, eta, 0, false);
    add_twist(phi, turned, 1, 0, queue);  // i gamma5 S eta
    quark.solve(x, phi, 0, 1e-13);
    const double deviation = std::abs(quark.real_product(phi, x) / quark.real_product(eta, eta) - 1);
    if (form == Form::asymmetric)
      EXPECT_LT(deviation, 1e-11);
    else
      EXPECT_GT(deviation, 1e-4);
  }
}

// A chain of a gauge action and two flavours, with the ladder of `twists` from the heaviest to 0.
HybridMonteCarlo two_flavours(const SharedLattice& lattice, double beta, const WilsonParameters& parameters,
                              const std::vector<double>& twists, const MdSolverSettings& settings,
                              const TimeScale& outer, const TimeScale& inner, double length,
                              Form form = Form::asymmetric, std::optional<double> heavier_mass = {}) {
  const auto quark = std::make_shared<WilsonQuark>(lattice, parameters, settings, QuarkLinks{}, form);
  std::vector<PairOperator> ladder;  // from the heaviest on
  if (heavier_mass) {
    WilsonParameters heavier = parameters;
    heavier.mass = *heavier_mass;
    ladder.push_back({std::make_shared<WilsonQuark>(lattice, heavier, settings, QuarkLinks{}, form)});
  }
  for (const double twist : twists) ladder.push_back({quark, twist});
  ladder.push_back({quark});
  std::vector<MonomialPtr> quarks{std::make_shared<PairMonomial>("heaviest", 0, ladder[0])};
  for (std::size_t k = 1; k < ladder.size(); ++k)
    quarks.push_back(std::make_shared<PairMonomial>("ratio " + std::to_string(k - 1), static_cast<int>(k),
                                                    ladder[k], ladder[k - 1]));
  if (parameters.has_clover())
    quarks.push_back(
        std::make_shared<DeterminantMonomial>("determinant", quark, 2, form == Form::symmetric ? 2 : 0));
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(beta));
  return HybridMonteCarlo(MolecularDynamics({{outer, quarks}, {inner, {gauge}}}, length), 31);
}

TEST(TwoFlavours, HaveTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 8};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(
                   extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                     const auto lattice = test::shared_lattice(grid, geometry, location);
                     std::vector<std::uint64_t> bits;
                     for (const int k : {0, 1, 2, 3}) {
                       auto hmc = two_flavours(lattice, 5.6,
                                               k == 1   ? twisted_clover()
                                               : k == 3 ? twisted_exponential()
                                                        : clover(),
                                               k == 2 ? std::vector<double>{} : std::vector<double>{0.4}, {},
                                               {Integrator::omelyan2, 1}, {Integrator::leapfrog, 2}, 0.2,
                                               k != 2 ? Form::asymmetric : Form::symmetric,
                                               k == 2 ? std::optional(0.4) : std::nullopt);
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
    for (const int k : {0, 1, 2, 3}) {
      const LatticeAlone alone({4, 4, 4, 4}, location);
      auto hmc = two_flavours(alone.lattice, 5.6, k == 1 ? twisted_clover() : clover(),
                              k == 3 ? std::vector<double>{} : std::vector<double>{0.3},
                              {.force_tolerance = 1e-10}, {Integrator::omelyan2, 4},
                              {Integrator::omelyan2, 3}, 1, k < 2 ? Form::asymmetric : Form::symmetric,
                              k == 3 ? std::optional(0.3) : std::nullopt);
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

// <exp(-dH)> = 1, and Schwinger and Dyson: <F_gauge (F_gauge + F_quarks)> = 8 beta <P> a link, for ladders
// in both forms.
TEST(TwoFlavours, HaveTheDistributionOfTheirAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({2, 2, 2, 2});
  const double beta = 5.0;
  WilsonParameters parameters{.mass = WilsonParameters::mass_of_kappa(0.12048192771), .clover = {1, 1}};
  struct Ladder {
    std::vector<double> twists;
    Form form;
    std::optional<double> heavier_mass;
  };
  for (const auto& [twists, form, heavier_mass] :
       {Ladder{{}, Form::asymmetric, {}}, Ladder{{0.5}, Form::asymmetric, {}},
        Ladder{{0.5}, Form::symmetric, {}}, Ladder{{}, Form::asymmetric, 0.6},
        Ladder{{}, Form::symmetric, 0.6}}) {
    SCOPED_TRACE(std::to_string(twists.size()) + " twists" + (heavier_mass ? ", a heavier mass" : "") +
                 (form == Form::symmetric ? ", symmetric" : ""));
    auto hmc = two_flavours(alone.lattice, beta, parameters, twists, {}, {Integrator::omelyan2, 3},
                            {Integrator::omelyan2, 2}, 0.8, form, heavier_mass);
    PhaseSpace space(alone.lattice, alone.weak_links(0.5), hmc.halo_depth());
    Field gauge(space.momenta().geometry_ptr(), space.momenta().spec()),
        one(gauge.geometry_ptr(), gauge.spec()), total(gauge.geometry_ptr(), gauge.spec());
    test::BlockedMean weight, identity;
    for (std::uint32_t number = 0; number < 130; ++number) {
      const auto report = hmc.trajectory(space, number);
      if (number < 30) continue;
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
    EXPECT_LT(weight.error(), 0.01);
    EXPECT_NEAR(identity.mean(), 0, 4 * identity.error());
    EXPECT_LT(identity.error(), 0.45);  // of 22
  }
}

}  // namespace
}  // namespace plaq::pair_monomial_test

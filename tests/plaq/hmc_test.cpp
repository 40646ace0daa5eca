// Chains of hybrid Monte Carlo of the C++ interface, and terms of the action of the user.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "comms/start/shared_lattice.hpp"
#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "quarks/action/wilson_action.hpp"
#include "tests/plaq/session.hpp"
#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

const Extents hmc_extents{4, 4, 4, 4};

GaugeField weak_gauge(const Lattice& lattice) {
  return smeared(random_gauge(lattice, 7), {.type = LinkSmearingKind::stout, .steps = 8});
}

double largest_difference(const GaugeField& a, const GaugeField& b) {
  const auto x = a.on_host(), y = b.on_host();
  double largest = 0;
  for (const LocalSite& site : a.lattice().local_sites())
    for (int mu = 0; mu < 4; ++mu)
      for (std::size_t i = 0; i < 9; ++i)
        largest = std::max(largest, std::abs(x(mu, site.index).values[i] - y(mu, site.index).values[i]));
  return largest;
}

// The Wilson gauge action, site by site on the host.
class PlaquetteTerm final : public ActionTerm {
 public:
  explicit PlaquetteTerm(double beta, int fails_at = -1) : beta_(beta), fails_at_(fails_at) {}

  std::string name() const override { return "plaquettes"; }
  double value(const GaugeField& links) override {
    std::vector<double> numbers;
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = 0; nu < mu; ++nu) {
        const std::vector<Hop> path{forward(mu), forward(nu), backward(mu), backward(nu)};
        const auto loops = path_product(links, path).on_host();
        for (const LocalSite& site : links.lattice().local_sites())
          numbers.push_back(-beta_ / 3 * trace(loops[site.index]).real());
      }
    return exact_sum(links.lattice(), numbers);
  }
  void force(GaugeField& force, const GaugeField& links) override {
    if (forces_++ == fails_at_) throw std::runtime_error("no force");
    HostField<ColorMatrix> matrices(links.lattice(), 4);
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = 0; nu < 4; ++nu)
        for (const bool up : {true, false}) {
          if (nu == mu) continue;
          const std::vector<Hop> path{forward(mu), {nu, up}, backward(mu), {nu, !up}};
          const auto loops = path_product(links, path).on_host();
          for (const LocalSite& site : links.lattice().local_sites())
            matrices(mu, site.index) += std::complex<double>(beta_ / 6) * loops[site.index];
        }
    force.set(matrices);
  }

 private:
  double beta_;
  int fails_at_, forces_ = 0;
};

HmcSettings settings_of(double beta) {
  return {.seed = 5, .gauge = {.beta = beta}, .length = 0.5, .steps = {4}};
}

TEST(Hmc, ChainIsThatOfItsMonomials) {
  test::for_one_lattice(hmc_extents, [](const Lattice& lattice) {
    const GaugeField start = weak_gauge(lattice);
    HmcChain chain(start, {.seed = 3,
                           .gauge = {.beta = 5.5},
                           .quarks = {{clover({.kappa = 0.12, .c_sw = 1.0, .exponential = true})}},
                           .twists = {0.4},
                           .length = 0.4,
                           .steps = {2, 3},
                           .solver = {.force_tolerance = 1e-11}});
    EXPECT_EQ(chain.terms(), (std::vector<std::string>{"quarks", "quarks_ratio_1", "gauge"}));
    const SharedLattice& shared = lattice.shared();
    const auto quark = std::make_shared<WilsonQuark>(
        shared, wilson_parameters(*clover({.kappa = 0.12, .c_sw = 1.0, .exponential = true})),
        MdSolverSettings{.force_tolerance = 1e-11});
    HybridMonteCarlo hmc(
        MolecularDynamics({{{Integrator::omelyan2, 2},
                            {std::make_shared<PairMonomial>("quarks", 0, quark, 0.4),
                             std::make_shared<PairMonomial>("quarks_ratio_1", 1, quark, 0.0, 0.4)}},
                           {{Integrator::omelyan2, 3},
                            {std::make_shared<GaugeMonomial>(shared, wilson_gauge_action(5.5))}}},
                          0.4),
        3);
    PhaseSpace space(shared, start.field(), hmc.halo_depth());
    for (std::uint32_t number = 0; number < 2; ++number) {
      const auto found = chain.trajectory(), expected = hmc.trajectory(space, number);
      EXPECT_EQ(found.delta_h, expected.delta_h);
      EXPECT_EQ(found.accepted, expected.accepted);
      EXPECT_EQ(found.iterations, expected.iterations);
      for (const auto& term : chain.terms()) EXPECT_LT(std::abs(chain.check_force(term)), 1e-7) << term;
    }
    EXPECT_EQ(chain.trajectories(), 2);
    EXPECT_EQ(largest_difference(chain.gauge(), GaugeField(lattice, space.links())), 0);
  });
}

TEST(Hmc, FormsAndLaddersOfMasses) {
  test::for_one_lattice(hmc_extents, [](const Lattice& lattice) {
    HmcChain chain(weak_gauge(lattice), {.seed = 3,
                                         .gauge = {.beta = 5.5},
                                         .quarks = {{clover({.kappa = 0.12, .c_sw = 1.0})}},
                                         .heavier_masses = {0.9, 0.5},
                                         .even_odd = "symmetric",
                                         .length = 0.4,
                                         .steps = {4, 3},
                                         .solver = {.force_tolerance = 1e-11}});
    EXPECT_EQ(chain.terms(), (std::vector<std::string>{"quarks", "quarks_ratio_1", "quarks_ratio_2",
                                                       "quarks_determinant", "gauge"}));
    const auto report = chain.trajectory({.check_reversibility = true});
    EXPECT_EQ(report.failure, "");
    EXPECT_LT(std::abs(report.delta_h), 1);
    ASSERT_TRUE(report.reversibility);
    EXPECT_LT(report.reversibility->links, 1e-10);
    for (const auto& term : chain.terms()) EXPECT_LT(std::abs(chain.check_force(term)), 1e-7) << term;
  });
}

TEST(Hmc, StaggeredQuarksWithAHeavyMass) {
  test::for_one_lattice(hmc_extents, [](const Lattice& lattice) {
    HmcSettings settings{.seed = 3,
                         .gauge = {.beta = 5.5},
                         .quarks = {{staggered({.mass = 0.4}), 1}, {staggered({.mass = 0.2}), 2}},
                         .heavier_masses = {1.0},
                         .joint_masses = true,
                         .length = 0.2,
                         .steps = {4, 3},
                         .rational = {.tolerance = 1e-5},
                         .solver = {.force_tolerance = 1e-11}};
    HmcChain chain(weak_gauge(lattice), settings);
    EXPECT_EQ(chain.terms(), (std::vector<std::string>{"quarks_rational_1", "quarks_ratio_1", "gauge"}));
    const auto report = chain.trajectory({.check_reversibility = true});
    EXPECT_EQ(report.failure, "");
    EXPECT_LT(std::abs(report.delta_h), 1);
    ASSERT_TRUE(report.reversibility);
    EXPECT_LT(report.reversibility->links, 1e-10);
    for (const auto& term : chain.terms()) EXPECT_LT(std::abs(chain.check_force(term)), 1e-7) << term;
    if (lattice.ranks() > 1) return;  // long hops need four slices of a rank
    settings.quarks = {{hisq({.mass = 0.2}), 2}, {hisq({.mass = 0.8, .epsilon = -0.2}), 1}};
    settings.joint_masses = false;
    HmcChain improved(weak_gauge(lattice), settings);
    EXPECT_EQ(improved.terms(),
              (std::vector<std::string>{"quarks_1_rational_1", "quarks_1_ratio_1", "quarks_2_rational_1",
                                        "quarks_2_ratio_1", "gauge"}));
    for (const auto& term : improved.terms())
      EXPECT_LT(std::abs(improved.check_force(term, 2e-3)), 1e-7) << term;
  });
}

TEST(Hmc, DomainWallQuarksOfTwoMasses) {
  test::for_one_lattice(hmc_extents, [](const Lattice& lattice) {
    const auto walls = [](double mass) {
      return domain_wall(
          {.variant = DomainWall::moebius, .n_s = 2, .m0 = 1.6, .mass = mass, .b5 = 1.5, .c5 = 0.5});
    };
    HmcSettings settings{.seed = 3,
                         .gauge = {.beta = 5.5},
                         .quarks = {{walls(0.2), 2}, {walls(0.4), 1}},
                         .heavier_masses = {0.6},
                         .one_flavour = "exact",
                         .length = 0.2,
                         .steps = {2, 3},
                         .solver = {.force_tolerance = 1e-11}};
    HmcChain chain(weak_gauge(lattice), settings);
    EXPECT_EQ(chain.terms(),
              (std::vector<std::string>{"quarks_1", "quarks_1_ratio_1", "quarks_2_exact", "gauge"}));
    const auto report = chain.trajectory({.check_reversibility = true});
    EXPECT_EQ(report.failure, "");
    EXPECT_LT(std::abs(report.delta_h), 1);
    ASSERT_TRUE(report.reversibility);
    EXPECT_LT(report.reversibility->links, 1e-10);
    for (const auto& term : chain.terms()) EXPECT_LT(std::abs(chain.check_force(term)), 1e-7) << term;
  });
}

TEST(Hmc, ATermOfTheUserIsOneOfTheAction) {
  std::map<Location, double> first;  // of each location
  test::for_some_lattices(hmc_extents, [&](const Lattice& lattice) {
    const GaugeField start = weak_gauge(lattice);
    HmcChain plain(start, settings_of(5.6));
    HmcChain split(start, settings_of(3.6), {std::make_shared<PlaquetteTerm>(2.0)});
    EXPECT_EQ(split.terms(), (std::vector<std::string>{"gauge", "plaquettes"}));
    EXPECT_LT(std::abs(split.check_force("plaquettes")), 1e-9);
    EXPECT_NEAR(split.action("plaquettes"), 2.0 / 5.6 * plain.action("gauge"), 1e-9);
    GaugeField scaled = split.force("gauge");
    auto numbers = scaled.on_host();
    for (const LocalSite& site : lattice.local_sites())
      for (int mu = 0; mu < 4; ++mu) numbers(mu, site.index) *= 2.0 / 3.6;
    scaled.set(numbers);
    EXPECT_LT(largest_difference(split.force("plaquettes"), scaled), 1e-12);
    const auto a = plain.trajectory(), b = split.trajectory({.check_reversibility = true});
    EXPECT_NEAR(a.delta_h, b.delta_h, 1e-8);
    ASSERT_TRUE(b.reversibility);
    EXPECT_LT(b.reversibility->links, 1e-11);
    EXPECT_EQ(first.try_emplace(lattice.location(), b.delta_h).first->second, b.delta_h);  // any process grid
  });
}

TEST(Hmc, AnExceptionOfATermKeepsTheLinks) {
  test::for_one_lattice(hmc_extents, [](const Lattice& lattice) {
    const GaugeField start = weak_gauge(lattice);
    HmcChain chain(start, settings_of(3.6), {std::make_shared<PlaquetteTerm>(2.0, 2)});
    EXPECT_THROW(chain.trajectory(), std::runtime_error);
    EXPECT_EQ(chain.trajectories(), 0);
    EXPECT_EQ(largest_difference(chain.gauge(), start), 0);
    HmcChain other(start, settings_of(3.6), {std::make_shared<PlaquetteTerm>(2.0)});
    EXPECT_EQ(chain.trajectory().delta_h, other.trajectory().delta_h);
  });
}

TEST(Hmc, ExactSumsDoNotDependOnTheOrder) {
  test::for_some_lattices(hmc_extents, [](const Lattice& lattice) {
    const double one = lattice.rank() == 0 ? 1 : 0;
    EXPECT_EQ(exact_sum(lattice, {1e100, one, -1e100}), 1);
    EXPECT_EQ(exact_sum(lattice, {}), 0);
  });
}

TEST(Hmc, WrongSettings) {
  test::for_some_lattices(hmc_extents, [](const Lattice& lattice) {
    const GaugeField start = unit_gauge(lattice);
    const auto refused = [&](const HmcSettings& settings, const std::vector<ActionTermPtr>& own = {}) {
      return test::error_of(ErrorKind::usage, [&] { HmcChain(start, settings, own); });
    };
    HmcSettings settings = settings_of(5.5);
    settings.steps = {2, 2};
    EXPECT_NE(refused(settings).find("setting 'steps': found 2 numbers for 1 time scales"),
              std::string::npos);
    settings = settings_of(5.5);
    settings.length = -1;
    EXPECT_NE(refused(settings).find("setting 'length'"), std::string::npos);
    settings = settings_of(5.5);
    settings.gauge.c1 = -0.1;
    EXPECT_NE(refused(settings).find("'gauge.c1': is read only with"), std::string::npos);
    settings = settings_of(5.5);
    settings.quarks = {{asqtad({.mass = 0.1})}};
    EXPECT_NE(refused(settings).find("actions of wilson(), clover(), staggered(), hisq() or domain_wall()"),
              std::string::npos);
    settings.quarks = {{domain_wall({.variant = DomainWall::optimal, .mass = 0.1})}};
    EXPECT_NE(refused(settings).find("optimal weights of sea quarks need spectral bounds"),
              std::string::npos);
    settings.quarks = {{domain_wall({.mass = 0.1})}};
    settings.one_flavour = "exact";
    EXPECT_NE(refused(settings).find("'one_flavour': the exact action is for an odd number of flavours"),
              std::string::npos);
    settings.one_flavour = "rational";
    settings.quarks = {{staggered({.mass = 0.1}), 17}};
    EXPECT_NE(refused(settings).find("1 to 16 flavours, found 17"), std::string::npos);
    settings.quarks = {{staggered({.mass = 0.1}), 2}};
    settings.joint_masses = true;
    EXPECT_NE(refused(settings).find("'joint_masses': needs two masses"), std::string::npos);
    settings.joint_masses = false;
    settings.force_filter = 1e-3;
    EXPECT_NE(refused(settings).find("'force_filter': needs HISQ quarks"), std::string::npos);
    settings.quarks = {{hisq({.mass = 0.1}), 2}};
    settings.smearing.links.type = LinkSmearingKind::stout;
    settings.smearing.links.steps = 1;
    EXPECT_NE(refused(settings).find("smear their links themselves"), std::string::npos);
    settings = settings_of(5.5);
    settings.quarks = {{wilson({.kappa = 0.12}), 4}};
    EXPECT_NE(refused(settings).find("1 to 3 flavours, found 4"), std::string::npos);
    settings.quarks = {{wilson({.kappa = 0.12})}};
    settings.solver.largest_twist = 0.1;
    EXPECT_NE(refused(settings).find("'solver.largest_twist': needs preconditioner"), std::string::npos);
    settings.solver.largest_twist.reset();
    settings.even_odd = "even";
    EXPECT_NE(refused(settings).find("'even_odd': expected"), std::string::npos);
    settings.even_odd = "symmetric";
    settings.solver.multigrid = MultigridOptions();
    EXPECT_NE(refused(settings).find("'solver.preconditioner': multigrid is for the asymmetric form"),
              std::string::npos);
    settings.solver.multigrid.reset();
    settings.heavier_masses = {0.1};
    EXPECT_NE(refused(settings).find("'heavier_masses': mass 0.1 (kappa 0.12195122) is not larger"),
              std::string::npos);
    settings.heavier_masses.clear();
    settings.even_odd = "asymmetric";
    settings.smearing.links.type = LinkSmearingKind::hyp;
    EXPECT_NE(refused(settings).find("take \"stout\""), std::string::npos);
    EXPECT_NE(refused(settings_of(5.5), {nullptr}).find("null"), std::string::npos);
    const auto term = std::make_shared<PlaquetteTerm>(1.0);
    EXPECT_NE(refused(settings_of(5.5), {term, term}).find("plaquettes is listed twice"), std::string::npos);
    HmcChain chain(start, settings_of(5.5));
    EXPECT_NE(test::error_of(ErrorKind::usage, [&] { chain.force("quarks"); }).find("the terms are gauge"),
              std::string::npos);
  });
}

}  // namespace
}  // namespace plaq

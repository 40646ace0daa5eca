// The checks of molecular dynamics find faults: a force, a draw and an integrator that are slightly wrong.
#include "dynamics/check/md_check.hpp"

#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "kernels/gauge/observables.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::md_check_test {
namespace {

using test::LatticeAlone;

// A term whose force or value is too large by a factor.
struct Scaled final : Monomial {
  Monomial& right;
  Queue queue;
  double of_force, of_value;

  Scaled(Monomial& m, const Queue& on, double force_factor, double value_factor)
      : right(m), queue(on), of_force(force_factor), of_value(value_factor) {}
  std::string name() const override { return "scaled"; }
  int halo_depth() const override { return right.halo_depth(); }
  void draw(const Field& links, std::uint64_t seed, std::uint32_t trajectory) override {
    right.draw(links, seed, trajectory);
  }
  double value(const Field& links) override { return of_value * right.value(links); }
  void force(Field& force, const Field& links) override {
    Field once(force.geometry_ptr(), force.spec());
    right.force(once, links);
    right.force(force, links);
    kick(force, once, 1 - of_force, queue);
  }
};

TEST(MdCheck, FindsAForceThatIsNotThatOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 4}, location);
    const Field links = weak_links(alone.lattice, 0.3, 1);
    GaugeMonomial gauge(alone.lattice, rectangle_gauge_action(4, symanzik_c1));
    EXPECT_NEAR(force_deviation(alone.lattice, gauge, links), 0, 1e-9);
    for (const double fault : {1e-6, -0.5}) {
      Scaled force(gauge, alone.lattice.queue, 1 + fault, 1);
      EXPECT_NEAR(force_deviation(alone.lattice, force, links), fault, 1e-9);
      Scaled value(gauge, alone.lattice.queue, 1, 1 / (1 + fault));
      EXPECT_NEAR(force_deviation(alone.lattice, value, links), fault, 1e-9);
    }
  }
}

TEST(MdCheck, FindsADrawThatIsNotThatOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  const Field links = weak_links(alone.lattice, 0.3, 1);
  const auto quark =
      std::make_shared<WilsonQuark>(alone.lattice, WilsonParameters{.mass = 0.3},
                                    MdSolverSettings{.force_tolerance = 1e-13, .action_tolerance = 1e-13});
  PairMonomial right("quarks", 3, quark, 0.1);
  EXPECT_NEAR(draw_deviation(right, 3, *quark, links, 5, 8), 0, 1e-11);
  Scaled wrong(right, alone.lattice.queue, 1, 1 + 1e-8);
  EXPECT_NEAR(draw_deviation(wrong, 3, *quark, links, 5, 8), 1e-8, 1e-11);
  EXPECT_GT(std::abs(draw_deviation(right, 4, *quark, links, 5, 8)), 1e-4);  // another pseudofermion
}

TEST(MdCheck, FindsTheOrderOfAnIntegrator) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const Field links = weak_links(alone.lattice, 0.3, 1);
  const LoopWeights action = wilson_gauge_action(5.6);
  EXPECT_NEAR(order_of_integrator(alone.lattice, action, links, Integrator::leapfrog, 40), 2, 0.05);
  EXPECT_NEAR(order_of_integrator(alone.lattice, action, links, Integrator::omelyan4, 20), 4, 0.05);
}

// Rough enough that no term of a force is small, and in SU(3).
TEST(MdCheck, HasWeakLinksOfTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 8};
  test::for_all_geometries(
      extents, test::same_as_alone(
                   extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                     const auto lattice = test::shared_lattice(grid, geometry, location);
                     const Field links = weak_links(lattice, 0.3, 1);
                     PhaseSpace space(lattice, links, 1);
                     EXPECT_LT(unitarity_violation(grid, space.links(), lattice.queue), 1e-13);
                     const double plaquette = average_plaquette(grid, space.links(), lattice.queue).all;
                     EXPECT_GT(plaquette, 0.3);
                     EXPECT_LT(plaquette, 0.9);
                     return test::fingerprint(links, grid);
                   }));
}

TEST(MdCheck, DifferentiatesPolynomialsOfDegreeEight) {
  EXPECT_NEAR(central_difference([](double x) { return std::pow(1 + x, 8); }, 0.1), 8, 1e-10);
  EXPECT_GT(std::abs(central_difference([](double x) { return std::pow(1 + x, 9); }, 0.5) - 9), 1e-4);
}

}  // namespace
}  // namespace plaq::md_check_test

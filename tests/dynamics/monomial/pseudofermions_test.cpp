// Several pseudofermions for one determinant: their draw, values and forces, and their batches against one
// after the other.
#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"

namespace plaq::pseudofermions_test {
namespace {

using test::LatticeAlone;
constexpr SpectralRange range{0.08, 80};
constexpr auto wide = Precision::double_precision;

struct Fields {
  int flavours, count;
};
const Fields all_fields[] = {{1, 2}, {2, 2}, {2, 3}, {3, 2}};

WilsonParameters clover() { return {.mass = WilsonParameters::mass_of_kappa(0.115), .clover = {1.3, 1.3}}; }

std::shared_ptr<WilsonQuark> quark_on(const SharedLattice& lattice, const MdSolverSettings& settings) {
  return std::make_shared<WilsonQuark>(lattice, clover(), settings);
}
MdSolverSettings exact_solves() { return {.force_tolerance = 1e-13, .action_tolerance = 1e-13}; }

std::shared_ptr<InverseRoot> root_of(std::shared_ptr<WilsonQuark> quark, double power) {
  return std::make_shared<InverseRoot>(std::move(quark),
                                       InverseRootSettings{1e-4, 1, range, {PowerProduct(-power)}});
}

Field subfield_of(const WilsonQuark& quark, const Field& batch, int k) {
  Field one = quark.vector();
  copy_subfield(one, 0, batch, k);
  return one;
}

TEST(Pseudofermions, DrawTheDistributionOfTheirAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const auto& [flavours, count] : all_fields) {
      SCOPED_TRACE(testing::Message() << flavours << " flavours, " << count << " fields");
      const auto quark = quark_on(alone.lattice, exact_solves());
      const auto root = root_of(quark, 0.5 * flavours / count);
      RationalMonomial monomial("some", 20, root, 0, count);
      monomial.draw(links, 5, 8);
      double norms = 0;
      for (int k = 0; k < count; ++k) {
        Field eta = quark->vector();
        draw_pseudofermion(eta, 5, 8, 20 + k, alone.lattice.queue);
        norms += quark->real_product(eta, eta);
      }
      EXPECT_NEAR(monomial.value(links) / norms, 1, 1e-11);
      for (const double x : {0.1, 1.0, 60.0})
        EXPECT_NEAR(root->factor(0)(x) * std::pow(x, 0.5 * flavours / count), 1, 1e-4);
    }
  }
}

TEST(Pseudofermions, ForceIsTheDerivativeOfTheirValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 6, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const auto& [flavours, count] : all_fields) {
      SCOPED_TRACE(testing::Message() << flavours << " flavours, " << count << " fields");
      RationalMonomial monomial(
          "some", 0, root_of(quark_on(alone.lattice, exact_solves()), 0.5 * flavours / count), 0, count);
      monomial.draw(links, 1, 4);
      test::expect_derivative(alone, monomial, links, 1e-8);
    }
  }
}

// Each right-hand side of a batch has the solutions that it has alone, bit by bit.
TEST(Pseudofermions, SolutionsOfABatchAreThoseOfEachField) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  constexpr int count = 3;
  const std::vector<double> shifts{0.3, 0.01, 4.0};
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 2, 4}, location);
    const Field links = alone.weak_links(0.3);
    for (const auto inner : {Precision::single_precision, wide}) {
      const auto quark = quark_on(
          alone.lattice, {.force_tolerance = 1e-9, .action_tolerance = 1e-9, .inner_precision = inner});
      quark->update(links);
      Field batch = quark->vector(count);
      std::vector<Field> together;
      for (std::size_t i = 0; i < shifts.size(); ++i) together.push_back(quark->vector(count));
      for (int k = 0; k < count; ++k) {
        Field eta = quark->vector();
        draw_pseudofermion(eta, 1, 2, k, alone.lattice.queue);
        alone.lattice.queue.synchronize();
        copy_subfield(batch, k, eta, 0);
      }
      quark->solve_shifts(together, batch, shifts, 1e-9);
      Field s_of_batch = quark->vector(count);
      quark->apply(s_of_batch, batch, 0.2, false);
      double products = 0;
      for (int k = 0; k < count; ++k) {
        std::vector<Field> x;
        for (std::size_t i = 0; i < shifts.size(); ++i) x.push_back(quark->vector());
        const Field b = subfield_of(*quark, batch, k);
        quark->solve_shifts(x, b, shifts, 1e-9);
        for (std::size_t i = 0; i < shifts.size(); ++i)
          EXPECT_EQ(test::fingerprint(subfield_of(*quark, together[i], k), alone.grid),
                    test::fingerprint(x[i], alone.grid))
              << k << ", " << i;
        Field s_of_b = quark->vector();
        quark->apply(s_of_b, b, 0.2, false);
        EXPECT_EQ(test::fingerprint(subfield_of(*quark, s_of_batch, k), alone.grid),
                  test::fingerprint(s_of_b, alone.grid));
        products += quark->real_product(b, x[0]);
      }
      EXPECT_EQ(quark->real_product(batch, together[0]), products);
    }
  }
}

// The force of n pseudofermions is the sum of n forces.
TEST(Pseudofermions, ForceIsTheSumOfTheForcesOfEach) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 2, 4});
  const Field links = alone.weak_links(0.3);
  const auto quark = quark_on(alone.lattice, exact_solves());
  const auto root = root_of(quark, 0.5);
  RationalMonomial both("both", 5, root, 0, 2), first("first", 5, root), second("second", 6, root);
  Field sum(alone.geometry, algebra_spec(wide, Location::host)), one(alone.geometry, sum.spec());
  double value = 0;
  for (RationalMonomial* monomial : {&both, &first, &second}) {
    monomial->draw(links, 3, 3);
    value += (monomial == &both ? 1 : -1) * monomial->value(links);
  }
  EXPECT_NEAR(value, 0, 1e-9);
  both.force(sum, links);
  const double size = force_size(alone.grid, sum, alone.lattice.queue).largest;
  for (RationalMonomial* monomial : {&first, &second}) {
    monomial->force(one, links);
    plaq::kick(sum, one, 1, alone.lattice.queue);  // sum - one
  }
  EXPECT_GT(size, 0.1);
  EXPECT_LT(force_size(alone.grid, sum, alone.lattice.queue).largest, 1e-11 * size);
}

TEST(Pseudofermions, HaveTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        const auto quark = quark_on(lattice, {});
        const auto root = root_of(quark, 0.5);
        HybridMonteCarlo hmc(
            MolecularDynamics({{{Integrator::omelyan2, 1},
                                {std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                                 std::make_shared<RationalMonomial>("two", 0, root, 0, 2),
                                 std::make_shared<DeterminantMonomial>("determinant", quark, 2)}}},
                              0.2),
            1);
        PhaseSpace space(lattice, test::to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
        return test::trajectory_bits(hmc, space, geometry, grid);
      }));
}

// Multigrid solves the smallest shifts of each right-hand side.
TEST(Pseudofermions, MultigridLeavesTheirTrajectoryAsItIs) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const auto trajectory = [&](bool has_multigrid) {
    MdSolverSettings settings{.force_tolerance = 1e-10, .action_tolerance = 1e-12};
    if (has_multigrid) {
      settings.multigrid = MultigridOptions{.blocks = {{2, 2, 2, 2}}, .vectors = {4}, .rounds = 2};
      settings.largest_multigrid_twist = 1;
    }
    const auto root = root_of(quark_on(alone.lattice, settings), 0.5);
    HybridMonteCarlo hmc(
        MolecularDynamics(
            {{{Integrator::omelyan2, 2}, {std::make_shared<RationalMonomial>("two", 0, root, 0, 2)}}}, 0.2),
        1);
    PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
    const auto report = hmc.trajectory(space, 0);
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(root->quark()->take_setup_rounds() > 0, has_multigrid);
    return report.delta_h;
  };
  EXPECT_NEAR(trajectory(true), trajectory(false), 1e-6);
}

}  // namespace
}  // namespace plaq::pseudofermions_test

// HISQ quarks by rational functions: their draw, values, forces and trajectories.
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/quark/hisq_chain.hpp"
#include "dynamics/quark/staggered_quark.hpp"
#include "dynamics/terms/hmc_terms.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/hisq_links.hpp"
#include "quarks/action/staggered_action.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"

namespace plaq::hisq_monomial_test {
namespace {

using test::LatticeAlone;
constexpr auto wide = Precision::double_precision;

const MdSolverSettings exact_solves{.force_tolerance = 1e-13, .action_tolerance = 1e-13};
constexpr double charm_epsilon = -0.2;
constexpr double short_step = 2e-3;  // of differences: on rough links W = V (V^dagger V)^(-1/2) bends sooner
constexpr std::array<int, 4> boundary{1, -1, 1, -1};

// Light, strange and charm quarks share the links of the chain. Light and strange quarks are in one
// pseudofermion.
struct Quarks {
  std::shared_ptr<HisqChain> chain;
  SeaQuarks light{.kind = StaggeredSea{{.mass = 0.2, .boundary = boundary}, 0, {{0.5, 1, 1}}}},
      charm{.kind = StaggeredSea{{.mass = 0.9, .boundary = boundary}, charm_epsilon}, .flavours = 1};
  std::shared_ptr<InverseRoot> light_root, charm_root;

  Quarks(const SharedLattice& lattice, const MdSolverSettings& settings,
         double filter = HisqSmearer::usual_filter)
      : chain(std::make_shared<HisqChain>(lattice, std::vector{0.0, charm_epsilon}, filter)),
        light_root(root(lattice, light, settings)),
        charm_root(root(lattice, charm, settings)) {}

  std::shared_ptr<InverseRoot> root(const SharedLattice& lattice, const SeaQuarks& sea,
                                    const MdSolverSettings& settings) const {
    return std::make_shared<InverseRoot>(
        std::make_shared<StaggeredQuark>(lattice, sea.staggered()->parameters, settings,
                                         QuarkLinks{.hisq = chain, .epsilon = *sea.staggered()->epsilon}),
        InverseRootSettings{.tolerance = 1e-5, .targets = sea.targets({1.2})});
  }
};

// A is M^dagger M of the action of propagators on even sites.
TEST(HisqMonomial, HasTheOperatorOfPropagators) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 6, 8}, location);
    const Field plain = alone.weak_links(0.3);
    const Quarks quarks(alone.lattice, exact_solves);
    const PhaseSpace space(alone.lattice, plain, 3);
    for (const auto& [root, sea] :
         {std::pair(quarks.light_root, quarks.light), std::pair(quarks.charm_root, quarks.charm)}) {
      SeaQuark& quark = *root->quark();
      quark.update(space.links());
      const auto links = hisq_links(alone.grid, plain, *sea.staggered()->epsilon, wide, alone.lattice.queue,
                                    alone.lattice.transport);
      StaggeredParameters parameters = sea.staggered()->parameters;
      parameters.naik = links.coefficients.naik;
      StaggeredSchur a(std::make_shared<StaggeredHopping>(alone.grid, links.fat, links.three, parameters,
                                                          LinkStorage(wide, 18), alone.lattice.queue,
                                                          alone.lattice.transport),
                       0, 1);
      Field b = quark.vector(), product = quark.vector();
      draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
      for (const std::optional<Precision> inner : {std::optional(wide), std::optional<Precision>()}) {
        std::vector<Field> x{quark.vector()};
        StaggeredQuark same(alone.lattice, sea.staggered()->parameters, {.inner_precision = inner},
                            QuarkLinks{.hisq = quarks.chain, .epsilon = *sea.staggered()->epsilon});
        same.update(space.links());
        same.solve_shifts(x, b, {0}, 1e-11);
        a.apply(product, x[0], ActiveSet(1));
        quark.add(product, -1, b);
        EXPECT_LT(std::sqrt(quark.real_product(product, product) / quark.real_product(b, b)), 1.1e-11);
      }
    }
  }
}

TEST(HisqMonomial, DrawsTheDistributionOfItsActionAndHasItsForce) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 6, 4}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.3);
      const Quarks quarks(alone.lattice, exact_solves);
      for (const auto& root : {quarks.light_root, quarks.charm_root})
        for (const int step : {0, 1}) {
          SCOPED_TRACE(step);
          RationalMonomial monomial("some", 20, root, step);
          const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
          EXPECT_LT(std::abs(draw_deviation(monomial, 20, *root->quark(), links, 5, 8)), 1e-10);
          monomial.draw(space.links(), 1, 4);
          EXPECT_NEAR(force_deviation(alone.lattice, monomial, links, short_step), 0, 5e-9);
        }
    }
}

// With a filter that acts on many links the force is another one, and the links are counted.
TEST(HisqMonomial, CountsLinksOfItsFilter) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  const Field links = alone.weak_links(0.5);
  for (const double filter : {0.0, 0.5}) {
    const Quarks quarks(alone.lattice, exact_solves, filter);
    RationalMonomial monomial("some", 0, quarks.light_root);
    const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
    monomial.draw(space.links(), 1, 4);
    Field force(space.links().geometry_ptr(), algebra_spec(wide, Location::host));
    monomial.force(force, space.links());
    const std::int64_t filtered = quarks.light_root->quark()->take_filtered_links();
    EXPECT_EQ(filtered > 0, filter > 0) << filtered;
    EXPECT_LE(filtered, 4 * 4 * 2 * 4 * 4);
    EXPECT_EQ(quarks.light_root->quark()->take_filtered_links(), 0);
    EXPECT_EQ(quarks.charm_root->quark()->take_filtered_links(), 0);
  }
}

HybridMonteCarlo chain_on(const SharedLattice& lattice, int steps, double length,
                          const MdSolverSettings& settings) {
  const Quarks quarks(lattice, settings);
  return HybridMonteCarlo(
      MolecularDynamics({{{Integrator::omelyan2, steps},
                          {std::make_shared<GaugeMonomial>(lattice, luscher_weisz_gauge_action(6.5, 0.86, 4)),
                           std::make_shared<RationalMonomial>("ratio", 0, quarks.light_root, 1),
                           std::make_shared<RationalMonomial>("heavy", 1, quarks.light_root, 0),
                           std::make_shared<RationalMonomial>("charm", 2, quarks.charm_root, 1)}}},
                        length),
      1);
}

TEST(HisqMonomial, TrajectoriesAreReversibleAndOfSecondOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 4, 2, 4}, location);
    const auto trajectory = [&](int steps) {
      return test::reversible_delta_h(alone, chain_on(alone.lattice, steps, 0.5, {.force_tolerance = 1e-10}));
    };
    EXPECT_NEAR(std::log2(trajectory(6) / trajectory(12)), 2, 0.1);
  }
}

// On grids with at least as many slices a rank as long hops need.
TEST(HisqMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 8, 8};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  std::vector<Extents> grids;
  for (const Extents& ranks : allowed_grids(test::world_size(), extents)) {
    bool fits = true;
    for (std::size_t mu = 0; mu < 4; ++mu)
      fits = fits && extents[mu] / ranks[mu] >= least_slices_of_long_hops;
    if (fits) grids.push_back(ranks);
  }
  test::for_two_geometries(
      extents, grids,
      test::same_as_alone(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
            const auto lattice = test::shared_lattice(grid, geometry, location);
            HybridMonteCarlo hmc = chain_on(lattice, 1, 0.05, {});
            PhaseSpace space(lattice, test::to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
            return test::trajectory_bits(hmc, space, geometry, grid);
          }));
}

}  // namespace
}  // namespace plaq::hisq_monomial_test

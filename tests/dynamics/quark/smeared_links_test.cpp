// Quarks and gauge actions on stout links: forces through one to three steps, what terms share, and
// trajectories.
#include "dynamics/quark/smeared_links.hpp"

#include <bit>
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/monomial/rational_monomial.hpp"
#include "dynamics/rational/zolotarev.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/gauge/smearing.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"
#include "tests/reference/clover.hpp"
#include "tests/reference/smearing.hpp"

namespace plaq::smeared_links_test {
namespace {

using test::LatticeAlone;
using test::to_plaq;
constexpr auto wide = Precision::double_precision;

struct Smearing {
  const char* name;
  StoutSmearing stout;
  int steps;
};
std::vector<Smearing> smearings() {
  return {{"one step", {0.15, false}, 1},
          {"two steps", {0.12, false}, 2},
          {"three steps", {0.1, false}, 3},
          {"two steps in space", {0.15, true}, 2}};
}

std::shared_ptr<SmearedLinks> links_of(const SharedLattice& lattice, const Smearing& smearing) {
  return std::make_shared<SmearedLinks>(lattice, smearing.stout, smearing.steps);
}

WilsonParameters clover(const std::array<int, 4>& boundary = {1, 1, 1, -1}) {
  return {.mass = WilsonParameters::mass_of_kappa(0.12), .boundary = boundary, .clover = {1.3, 1.3}};
}

// Tighter than a chain needs: what is left is rounding.
MdSolverSettings exact_solves() { return {.force_tolerance = 1e-13, .action_tolerance = 1e-13}; }

// The gauge action of smeared links.
class SmearedGauge final : public Monomial {
 public:
  SmearedGauge(const SharedLattice& lattice, const Smearing& smearing, const LoopWeights& weights)
      : links_(links_of(lattice, smearing)), gauge_(lattice, weights) {}
  std::string name() const override { return "smeared gauge"; }
  int halo_depth() const override { return gauge_.halo_depth(); }
  double value(const Field& links) override { return gauge_.value(links_->of(links)); }
  void force(Field& force, const Field& links) override {
    gauge_.force(force, links_->of(links));
    links_->carry_back(force, links);
  }

 private:
  std::shared_ptr<SmearedLinks> links_;
  GaugeMonomial gauge_;
};

TEST(SmearedLinks, ForceOfAGaugeActionIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 6, 4}, Extents{2, 2, 2, 2}, Extents{2, 8, 4, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.5);
      for (const LoopWeights& weights :
           {wilson_gauge_action(5.6), rectangle_gauge_action(2.2, iwasaki_c1, 1.4)})
        for (const Smearing& smearing : smearings()) {
          SCOPED_TRACE(smearing.name);
          SmearedGauge monomial(alone.lattice, smearing, weights);
          test::expect_derivative(alone, monomial, links, 1e-8);
        }
    }
}

// Two flavours as a determinant and a ratio, one flavour by a rational function, and determinants of the
// clover term: every kind of term with quarks, for one quark.
std::vector<MonomialPtr> quark_terms(const std::shared_ptr<WilsonQuark>& quark) {
  const SpectralRange range{0.08, 80};
  const InverseRootSettings five_poles{1.001 * zolotarev_delta(range, 5), 1, range};
  return {std::make_shared<PairMonomial>("heavy", 0, quark, 0.4),
          std::make_shared<PairMonomial>("ratio", 1, quark, 0, 0.4),
          std::make_shared<RationalMonomial>("one", 2, std::make_shared<InverseRoot>(quark, five_poles)),
          std::make_shared<DeterminantMonomial>("determinant", quark, 3)};
}

struct QuarkCase {
  Smearing smearing;
  bool thin_clover;
  Extents extents;
  std::array<int, 4> boundary;
};

TEST(SmearedQuarks, ForcesAreTheDerivativesOfTheirValues) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const auto smearing = smearings();
  for (const Location location : test::locations())
    for (const auto& [smeared, thin_clover, extents, boundary] :
         {QuarkCase{smearing[0], false, {4, 2, 6, 4}, {1, 1, 1, -1}},
          {smearing[1], true, {2, 2, 2, 2}, {-1, 1, -1, 1}},
          {smearing[2], false, {2, 4, 2, 2}, {1, -1, 1, 1}},
          {smearing[3], true, {2, 2, 4, 6}, {-1, -1, -1, -1}}}) {
      SCOPED_TRACE(smeared.name);
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.4);
      const auto quark =
          std::make_shared<WilsonQuark>(alone.lattice, clover(boundary), exact_solves(),
                                        QuarkLinks{links_of(alone.lattice, smeared), thin_clover});
      for (const MonomialPtr& term : quark_terms(quark)) {
        SCOPED_TRACE(term->name());
        term->draw(links, 1, 4);
        test::expect_derivative(alone, *term, links, 1e-8);
      }
    }
}

TEST(SmearedQuarks, HaveValuesOfQuarksOnSmearedLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 2, 2});
  const Field links = alone.weak_links(0.4);
  for (const Smearing& smearing : {smearings()[1], smearings()[3]}) {
    SCOPED_TRACE(smearing.name);
    Field smeared(alone.geometry, links.spec());
    copy(smeared, links);
    LinkSmearer(alone.grid, smeared, alone.lattice.transport)
        .apply(smeared, smearing.stout, smearing.steps, alone.lattice.queue);
    const auto terms_on = [&](const QuarkLinks& on) {
      return quark_terms(std::make_shared<WilsonQuark>(alone.lattice, clover(), exact_solves(), on));
    };
    const auto found = terms_on({links_of(alone.lattice, smearing)}), expected = terms_on({});
    for (std::size_t k = 0; k < found.size(); ++k) {
      SCOPED_TRACE(found[k]->name());
      found[k]->draw(links, 5, 8);
      expected[k]->draw(smeared, 5, 8);
      EXPECT_EQ(found[k]->value(links), expected[k]->value(smeared));
      EXPECT_NE(found[k]->value(links), expected[k]->value(links));
    }
  }
}

// phi^dagger (S^dagger S)^-1 phi = |(M^-1 gamma5 phi)_even|^2 by a solver of the whole matrix, whose hops are
// on smeared and whose clover term is on thin links.
TEST(SmearedQuarks, HaveACloverTermOnThinLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 2, 4});
  reference::Generator generator(5);
  const auto thin = reference::weak_gauge({alone.geometry->global()}, generator, 0.4);
  const auto smeared = stout_smeared(stout_smeared(thin, 0.12, 4), 0.12, 4);
  const auto quark = std::make_shared<WilsonQuark>(alone.lattice, clover(), exact_solves(),
                                                   QuarkLinks{links_of(alone.lattice, smearings()[1]), true});
  PairMonomial monomial("quarks", 0, quark, 0);
  const Field links = to_plaq(thin, alone.geometry, wide, Location::host);
  monomial.draw(links, 1, 1);
  Field eta = quark->vector(), phi = quark->vector();
  draw_pseudofermion(eta, 1, 1, 0, alone.lattice.queue);
  quark->apply(phi, eta, 0, true);
  Field full(alone.geometry, spinor_spec(Subset::full, 1, wide, Location::host));
  copy_parity(full, phi, 0, alone.lattice.queue);
  auto source = test::from_vector<reference::SpinorField>(test::to_vectors(full).at(0));
  for (auto& spinor : source)
    for (std::size_t s = 2; s < 4; ++s)
      for (auto& z : spinor[s]) z = -z;
  const auto p = clover();
  const reference::CloverParameters same{
      {p.mass, p.xi, p.nu, p.boundary}, p.clover.spatial, p.clover.temporal};
  const auto x = solve(same, smeared, clover_matrices(same, thin), source).x;
  double norm = 0;
  for (std::size_t site = 0; site < x.size(); ++site)
    if (thin.lattice.parity(static_cast<int>(site)) == 0)
      for (const auto& color : x[site])
        for (const auto& z : color) norm += std::norm(z);
  EXPECT_NEAR(monomial.value(links) / norm, 1, 1e-10);
}

TEST(SmearedLinks, AreMadeOnceForEachVersionOfTheLinks) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 2, 4, 4});
  PhaseSpace space(alone.lattice, alone.weak_links(0.4), 1);
  space.draw_momenta(1, 1);
  const Smearing smearing = smearings().back();
  const auto shared = links_of(alone.lattice, smearing);
  const VersionOf made(shared->of(space.links()));
  Field force(space.momenta().geometry_ptr(), space.momenta().spec());
  for (int k = 0; k < 2; ++k) {  // two terms of one quark
    const auto quark =
        std::make_shared<WilsonQuark>(alone.lattice, clover(), MdSolverSettings{}, QuarkLinks{shared});
    PairMonomial term("quarks", 0, quark, 0);
    term.draw(space.links(), 1, 4);
    term.force(force, space.links());
  }
  EXPECT_TRUE(made.is_of(shared->of(space.links())));
  space.drift(0.1);
  const Field& moved = shared->of(space.links());
  EXPECT_FALSE(made.is_of(moved));
  Field expected(alone.geometry, space.links().spec());
  copy(expected, space.links());
  LinkSmearer(alone.grid, expected, alone.lattice.transport)
      .apply(expected, smearing.stout, smearing.steps, alone.lattice.queue);
  EXPECT_EQ(largest_link_distance(alone.grid, moved, expected, alone.lattice.queue), 0);
}

// A chain of a gauge action and two flavours of clover quarks on smeared links.
HybridMonteCarlo two_flavours(const SharedLattice& lattice, const Smearing& smearing, bool thin_clover,
                              const LoopWeights& weights, const TimeScale& outer, const TimeScale& inner,
                              double length) {
  const auto quark =
      std::make_shared<WilsonQuark>(lattice, clover(), MdSolverSettings{.force_tolerance = 1e-10},
                                    QuarkLinks{links_of(lattice, smearing), thin_clover});
  std::vector<MonomialPtr> quarks{std::make_shared<PairMonomial>("quarks", 0, quark, 0),
                                  std::make_shared<DeterminantMonomial>("determinant", quark, 2)};
  const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, weights);
  return HybridMonteCarlo(MolecularDynamics({{outer, quarks}, {inner, {gauge}}}, length), 31);
}

TEST(SmearedQuarks, HaveTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 4, 4};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.4);
  for (const bool thin_clover : {false, true}) {
    const Smearing smearing = thin_clover ? smearings().back() : smearings()[1];
    const LoopWeights weights =
        thin_clover ? wilson_gauge_action(5.6) : rectangle_gauge_action(3, symanzik_c1);
    SCOPED_TRACE(smearing.name);
    test::for_two_geometries(
        extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                  Location location) {
          const auto lattice = test::shared_lattice(grid, geometry, location);
          auto hmc = two_flavours(lattice, smearing, thin_clover, weights,
                                  {thin_clover ? Integrator::leapfrog : Integrator::force_gradient, 1},
                                  {Integrator::leapfrog, 2}, 0.2);
          PhaseSpace space(lattice, to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
          return test::trajectory_bits(hmc, space, geometry, grid);
        }));
  }
}

TEST(SmearedQuarks, LeadBackWithReversedMomentaAndConserveEnergy) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const bool thin_clover : {false, true}) {
      const LatticeAlone alone({4, 4, 2, 4}, location);
      const auto error = [&](int steps) {
        auto hmc = two_flavours(alone.lattice, smearings()[1], thin_clover, wilson_gauge_action(5.6),
                                {Integrator::omelyan2, steps}, {Integrator::omelyan4, 2}, 0.5);
        PhaseSpace space(alone.lattice, alone.weak_links(0.3), hmc.halo_depth());
        TrajectoryOptions options;
        options.check_reversibility = true;
        const auto report = hmc.trajectory(space, 1, options);
        EXPECT_EQ(report.failure, "");
        EXPECT_TRUE(report.reversibility && report.reversibility->links < 1e-10);
        EXPECT_TRUE(report.reversibility && report.reversibility->energy < 1e-8);
        return report.delta_h;
      };
      const double coarse = error(4), fine = error(8);
      EXPECT_LT(std::abs(coarse), 1);
      EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2, 0.3);  // an integrator of second order
    }
}

}  // namespace
}  // namespace plaq::smeared_links_test

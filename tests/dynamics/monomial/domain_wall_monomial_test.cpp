// Two flavours of domain-wall quarks down a ladder of masses from Pauli-Villars quarks: their draw, values,
// weight, forces and trajectories.
#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/monomial/pair_monomial.hpp"
#include "dynamics/quark/domain_wall_sea_quark.hpp"
#include "dynamics/terms/hmc_action.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"
#include "tests/support/operators/domain_wall.hpp"

namespace plaq::domain_wall_monomial_test {
namespace {

using reference::ComplexDense;
using test::LatticeAlone;
using test::Wall;
constexpr auto wide = Precision::double_precision;
const MdSolverSettings exact_solves{.force_tolerance = 1e-13, .action_tolerance = 1e-13};

struct Case {
  Wall wall;
  int Ls;
  double light, heavy;
  std::array<int, 4> boundary{1, 1, 1, -1};
  int stout = 0;  // steps
};
std::vector<Case> cases() {
  return {{Wall::moebius, 4, 0.1, 1},
          {Wall::shamir, 3, 0.1, 0.4, {-1, 1, 1, -1}},
          {Wall::optimal, 4, 0.3, 1, {1, -1, 1, 1}},
          {Wall::general, 5, 0.2, 1},
          {Wall::anisotropic, 2, 0.2, 0.7},
          {Wall::moebius, 2, 0.2, 1, {1, 1, 1, -1}, 2}};
}
std::string name_of(const Case& of) {
  return fmt::format("{}, Ls = {}, {} to {}, {} stout steps", test::name_of(of.wall), of.Ls, of.light,
                     of.heavy, of.stout);
}

std::shared_ptr<DomainWallSeaQuark> quark_on(const SharedLattice& lattice, const Case& of,
                                             const MdSolverSettings& settings) {
  QuarkLinks links;
  if (of.stout > 0)
    links.smeared = std::make_shared<SmearedLinks>(lattice, StoutSmearing{0.12, false}, of.stout);
  DomainWallParameters parameters = test::wall_parameters(of.wall, of.Ls, of.light);
  parameters.boundary = of.boundary;
  return std::make_shared<DomainWallSeaQuark>(lattice, parameters, settings, links);
}

PairMonomial ratio_on(const SharedLattice& lattice, const Case& of) {
  const auto light = quark_on(lattice, of, exact_solves);
  return {"ratio", 3, PairOperator{light}, PairOperator{light->of_mass(of.heavy)}};
}

TEST(DomainWallMonomial, DrawsTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 2}, location);
    for (const Case& of : cases()) {
      SCOPED_TRACE(name_of(of));
      auto monomial = ratio_on(alone.lattice, of);
      const auto quark = quark_on(alone.lattice, of, {});
      EXPECT_NEAR(draw_deviation(monomial, 3, *quark, alone.weak_links(0.3), 5, 8), 0, 1e-11);
      Field eta = quark->vector();
      draw_pseudofermion(eta, 5, 8, 3, alone.lattice.queue);
      EXPECT_NEAR(quark->real_product(eta, eta) / (12 * 32 * of.Ls), 1, 0.15);  // <|eta_k|^2> = 1
    }
  }
}

// Slices have numbers of their own.
TEST(DomainWallMonomial, DrawsEachSliceOnItsOwn) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({8, 8, 8, 8}, location);
    Field eta(alone.geometry, five_dimensional_spec(Subset::even, 1, 3, wide, location)),
        one(alone.geometry, spinor_spec(Subset::even, 1, wide, location)), other = {};
    other = Field(alone.geometry, one.spec());
    draw_pseudofermion(eta, 5, 8, 20, alone.lattice.queue);
    WilsonQuark quark(alone.lattice, {}, {});
    const double numbers = 12 * 8 * 8 * 8 * 4;
    for (int s = 0; s < 3; ++s) {
      alone.lattice.queue.synchronize();
      copy_subfield(one, 0, eta, s);
      copy_subfield(other, 0, eta, (s + 1) % 3);
      EXPECT_NEAR(quark.real_product(one, one) / numbers, 1, 5 / std::sqrt(numbers));
      EXPECT_NEAR(quark.real_product(one, other) / numbers, 0, 5 / std::sqrt(2 * numbers));
    }
    draw_pseudofermion(other, 5, 8, 20, alone.lattice.queue);  // the first slice is that of spinors alone
    alone.lattice.queue.synchronize();
    copy_subfield(one, 0, eta, 0);
    quark.add(one, -1, other);
    EXPECT_EQ(quark.real_product(one, one), 0);
  }
}

TEST(DomainWallMonomial, ForceIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 2, 4}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.3);
      for (const Case& of : cases()) {
        SCOPED_TRACE(name_of(of));
        auto monomial = ratio_on(alone.lattice, of);
        const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
        monomial.draw(space.links(), 1, 4);
        test::expect_derivative(alone, monomial, links, 1e-9);
      }
    }
}

TEST(DomainWallMonomial, SolvesToTheToleranceInEveryPrecision) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 4, 6}, location);
    for (const Precision inner :
         {Precision::half_precision, Precision::single_precision, Precision::double_precision}) {
      const auto quark = quark_on(alone.lattice, {Wall::moebius, 4, 0.05, 1}, {.inner_precision = inner});
      quark->update(alone.weak_links(0.3));
      Field b = quark->vector(), x = quark->vector(), back = quark->vector(), turned = quark->vector();
      draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
      EXPECT_GT(quark->solve(x, b, 0, 1e-12), 20);
      quark->apply(turned, x, 0, false);
      quark->apply(back, turned, 0, true);
      quark->add(back, -1, b);
      EXPECT_LT(std::sqrt(quark->real_product(back, back) / quark->real_product(b, b)), 1.1e-12)
          << plaq::name_of(inner);
    }
  }
}

// A matrix on the components of even sites, or of all.
template <class Apply>
ComplexDense matrix_of(const reference::Lattice& lattice, int Ls, bool even_alone, const Apply& apply) {
  std::vector<std::size_t> places;
  const auto volume = static_cast<std::size_t>(lattice.volume());
  for (std::size_t k = 0; k < 12 * volume * static_cast<std::size_t>(Ls); ++k)
    if (!even_alone || lattice.parity(static_cast<int>(k / 12 % volume)) == 0) places.push_back(k);
  ComplexDense matrix(static_cast<int>(places.size()));
  for (int j = 0; j < matrix.size(); ++j) {
    test::Vector unit(12 * volume * static_cast<std::size_t>(Ls));
    unit[places[static_cast<std::size_t>(j)]] = 1;
    const test::Vector column = apply(unit);
    for (int i = 0; i < matrix.size(); ++i) matrix(i, j) = column[places[static_cast<std::size_t>(i)]];
  }
  return matrix;
}

// ln |det|, by elimination with pivots.
double log_determinant(ComplexDense a) {
  double log = 0;
  for (int k = 0; k < a.size(); ++k) {
    int pivot = k;
    for (int i = k; i < a.size(); ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    for (int j = 0; j < a.size(); ++j) std::swap(a(k, j), a(pivot, j));
    log += std::log(std::abs(a(k, k)));
    for (int i = k + 1; i < a.size(); ++i) {
      const auto factor = a(i, k) / a(k, k);
      for (int j = k; j < a.size(); ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return log;
}

// Terms of hmc on 2^4 with a ladder: quarks and quarks_ratio_1.
struct Ladder {
  static constexpr int Ls = 2;
  LatticeAlone alone{{2, 2, 2, 2}};
  DomainWallParameters parameters = test::wall_parameters(Wall::moebius, Ls, 0.1);
  std::vector<double> masses{1, 0.4, 0.1};
  HmcAction action;

  Ladder() {
    HmcSetup setup;
    setup.terms.quarks = {{"quarks"}};
    setup.terms.quarks.front().kind = parameters;
    setup.terms.heavier_masses = {0.4};
    setup.gauge = wilson_gauge_action(5.6);
    setup.solver = exact_solves;
    setup.scales = {{Integrator::omelyan2, 2}, {Integrator::omelyan2, 2}};
    action = hmc_action(setup, alone.lattice);
  }
  // S of a mass, as a matrix.
  ComplexDense s_of(double mass, const Field& links) {
    DomainWallParameters p = parameters;
    p.mass = mass;
    DomainWallSeaQuark quark(alone.lattice, p, {});
    quark.update(links);
    return matrix_of({{2, 2, 2, 2}}, Ls, true, [&](const test::Vector& v) {
      const Field in =
          test::to_plaq(test::Columns(test::Vectors{v}, Ls), alone.geometry, quark.vector_spec(1));
      Field out = quark.vector();
      quark.apply(out, in, 0, false);
      alone.lattice.queue.synchronize();
      return test::to_vectors(out).at(0);
    });
  }
};

// det S(m)/det S(1) varies with the links like det D(m)/det D(1) of the whole matrix.
TEST(DomainWallMonomial, HasTheDeterminantOfTheWholeMatrix) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  Ladder ladder;
  double first = 0;
  for (const unsigned seed : {5u, 6u}) {
    reference::Generator generator(seed);
    const auto gauge = reference::random_gauge({{2, 2, 2, 2}}, generator);
    const Field links = test::to_plaq(gauge, ladder.alone.geometry, wide, Location::host);
    double difference = 0;
    for (const double mass : {1.0, 0.1}) {
      auto p = test::reference_of(ladder.parameters);
      p.mass = mass;
      const double of_d =
          log_determinant(matrix_of({{2, 2, 2, 2}}, Ladder::Ls, false, [&](const test::Vector& v) {
            return test::to_vector(
                reference::domain_wall(p, gauge, test::from_vector<reference::SpinorField>(v)));
          }));
      difference += (mass == 1 ? -1 : 1) * (of_d - log_determinant(ladder.s_of(mass, links)));
    }
    if (seed == 5)
      first = difference;
    else
      EXPECT_NEAR(difference, first, 1e-9);
  }
}

// S_pf = |S_1(V)^-dagger S_2(V)^dagger phi|^2 on links V with phi = S_2(U)^-dagger S_1(U)^dagger eta: S_2 is
// that of Pauli-Villars quarks, and then that of the mass before.
TEST(DomainWallMonomial, TermsAreRatiosFromPauliVillarsQuarksDown) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  Ladder ladder;
  const Field u = ladder.alone.weak_links(0.3), v = ladder.alone.weak_links(0.5, 4);
  const auto& terms = ladder.action.levels.front().monomials;
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[1]->name(), "quarks_ratio_1");
  const auto dagger = [](const ComplexDense& m) {
    ComplexDense t(m.size());
    for (int i = 0; i < m.size(); ++i)
      for (int j = 0; j < m.size(); ++j) t(j, i) = std::conj(m(i, j));
    return t;
  };
  for (std::size_t k = 0; k < 2; ++k) {
    terms[k]->draw(u, 5, 8);
    DomainWallSeaQuark quark(ladder.alone.lattice, ladder.parameters, {});
    Field eta = quark.vector();
    draw_pseudofermion(eta, 5, 8, static_cast<int>(k), ladder.alone.lattice.queue);
    ladder.alone.lattice.queue.synchronize();
    const test::Vector all = test::to_vectors(eta).at(0);
    std::vector<std::complex<double>> x;
    for (std::size_t c = 0; c < all.size(); ++c)
      if (reference::Lattice{{2, 2, 2, 2}}.parity(static_cast<int>(c / 12 % 16)) == 0) x.push_back(all[c]);
    const auto multiply = [&](const ComplexDense& m) {
      std::vector<std::complex<double>> y(x.size());
      for (int i = 0; i < m.size(); ++i)
        for (int j = 0; j < m.size(); ++j)
          y[static_cast<std::size_t>(i)] += m(i, j) * x[static_cast<std::size_t>(j)];
      x = y;
    };
    const double heavy = ladder.masses[k], light = ladder.masses[k + 1];
    multiply(dagger(ladder.s_of(light, u)));
    multiply(dagger(ladder.s_of(heavy, u)).inverse());
    multiply(dagger(ladder.s_of(heavy, v)));
    multiply(dagger(ladder.s_of(light, v)).inverse());
    double norm = 0;
    for (const auto& z : x) norm += std::norm(z);
    EXPECT_NEAR(terms[k]->value(v) / norm, 1, 1e-10);
  }
}

// Gauge action and a ladder, on stout links.
HybridMonteCarlo chain_on(const SharedLattice& lattice, int steps, double length,
                          const MdSolverSettings& settings, int stout) {
  const auto light = quark_on(lattice, {Wall::moebius, 4, 0.1, 1, {1, 1, 1, -1}, stout}, settings);
  const PairOperator middle{light->of_mass(0.5)}, heavy{light->of_mass(1)};
  return HybridMonteCarlo(
      MolecularDynamics({{{Integrator::omelyan2, steps},
                          {std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
                           std::make_shared<PairMonomial>("heavy", 0, middle, heavy),
                           std::make_shared<PairMonomial>("light", 1, PairOperator{light}, middle)}}},
                        length),
      1);
}

TEST(DomainWallMonomial, TrajectoriesAreReversibleAndOfSecondOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 2, 4}, location);
    const auto trajectory = [&](int steps) {
      return test::reversible_delta_h(alone,
                                      chain_on(alone.lattice, steps, 0.5, {.force_tolerance = 1e-10}, 0));
    };
    EXPECT_NEAR(std::log2(trajectory(8) / trajectory(16)), 2, 0.1);
  }
}

TEST(DomainWallMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 2, 4};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        HybridMonteCarlo hmc = chain_on(lattice, 2, 0.1, {}, 1);
        PhaseSpace space(lattice, test::to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
        return test::trajectory_bits(hmc, space, geometry, grid);
      }));
}

TEST(DomainWallMonomial, ASolveThatIsTooLongIsAFailure) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({4, 4, 4, 4});
  const auto quark = quark_on(alone.lattice, {Wall::shamir, 4, 0.05, 1}, {.max_iterations = 5});
  quark->update(alone.weak_links(0.3));
  Field b = quark->vector(), x = quark->vector();
  draw_pseudofermion(b, 5, 8, 20, alone.lattice.queue);
  try {
    quark->solve(x, b, 0, 1e-12);
    ADD_FAILURE() << "no failure";
  } catch (const MdFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("for m = 0.05"), std::string::npos) << failure.what();
  }
}

}  // namespace
}  // namespace plaq::domain_wall_monomial_test

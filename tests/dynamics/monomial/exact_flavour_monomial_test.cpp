// One flavour of domain-wall quarks by its exact action: draw, weight, forces and trajectories.
#include "dynamics/monomial/exact_flavour_monomial.hpp"

#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "tests/dynamics/chain.hpp"
#include "tests/dynamics/trajectory_bits.hpp"
#include "tests/support/operators/domain_wall.hpp"

namespace plaq::exact_flavour_monomial_test {
namespace {

using reference::ComplexDense;
using test::LatticeAlone;
using test::Wall;
constexpr auto wide = Precision::double_precision;
const MdSolverSettings exact_solves{.force_tolerance = 1e-13, .action_tolerance = 1e-13};

struct Case {
  Wall wall;
  int Ls;
  std::array<int, 4> boundary{1, 1, 1, -1};
  int stout = 0;  // steps
  double xi = 1, nu = 1;
};
std::vector<Case> cases() {
  return {{Wall::moebius, 4},
          {Wall::shamir, 3, {-1, 1, 1, -1}},
          {Wall::borici, 2, {1, -1, 1, 1}},
          {Wall::moebius, 2, {1, 1, 1, -1}, 2},
          {Wall::shamir, 4, {1, 1, 1, -1}, 0, 2.1, 0.9}};
}
std::string name_of(const Case& of) {
  return fmt::format("{}, Ls = {}, {} stout steps, xi = {}", test::name_of(of.wall), of.Ls, of.stout, of.xi);
}

std::shared_ptr<DomainWallSeaQuark> quark_on(const SharedLattice& lattice, const Case& of,
                                             const MdSolverSettings& settings, double mass = 0.2) {
  QuarkLinks links;
  if (of.stout > 0)
    links.smeared = std::make_shared<SmearedLinks>(lattice, StoutSmearing{0.12, false}, of.stout);
  DomainWallParameters parameters = test::wall_parameters(of.wall, of.Ls, mass);
  parameters.boundary = of.boundary;
  parameters.xi = of.xi;
  parameters.nu = of.nu;
  return std::make_shared<DomainWallSeaQuark>(lattice, parameters, settings, links);
}

TEST(ExactFlavourMonomial, DrawsTheDistributionOfItsAction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 2, 4}, location);
    for (const Case& of : cases()) {
      SCOPED_TRACE(name_of(of));
      const auto quark = quark_on(alone.lattice, of, exact_solves);
      ExactFlavourMonomial monomial("exact", 3, quark);
      const PhaseSpace space(alone.lattice, alone.weak_links(0.3), monomial.halo_depth());
      monomial.draw(space.links(), 5, 8);
      Field eta(alone.geometry, spinor_spec(Subset::full, 1, wide, location));
      draw_pseudofermion(eta, 5, 8, 3, alone.lattice.queue);
      EXPECT_NEAR(monomial.value(space.links()) / quark->real_product(eta, eta), 1, 1e-10);
    }
  }
}

TEST(ExactFlavourMonomial, ForceIsTheDerivativeOfItsValue) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations())
    for (const Extents& extents : {Extents{4, 2, 2, 2}, Extents{2, 2, 2, 2}}) {
      const LatticeAlone alone(extents, location);
      const Field links = alone.weak_links(0.3);
      for (const Case& of : cases()) {
        SCOPED_TRACE(name_of(of));
        ExactFlavourMonomial monomial("exact", 0, quark_on(alone.lattice, of, exact_solves));
        const PhaseSpace space(alone.lattice, links, monomial.halo_depth());
        monomial.draw(space.links(), 1, 4);
        test::expect_derivative(alone, monomial, links, 1e-9);
      }
    }
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

template <class Apply>
ComplexDense matrix_of(std::size_t size, const Apply& apply) {
  ComplexDense matrix(static_cast<int>(size));
  for (std::size_t j = 0; j < size; ++j) {
    test::Vector unit(size);
    unit[j] = 1;
    const test::Vector column = apply(unit);
    for (std::size_t i = 0; i < size; ++i) matrix(static_cast<int>(i), static_cast<int>(j)) = column[i];
  }
  return matrix;
}

// det K_- det K_+ = det D(1)/det D(m) without a further number, of random links; both K are Hermitian, with
// eigenvalues within the range of the draw.
TEST(ExactFlavourMonomial, HasTheWeightOfTheWholeMatrix) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const LatticeAlone alone({2, 2, 2, 2});
  constexpr double mass = 0.2;
  constexpr std::size_t numbers = 12 * 16;
  const Case of{Wall::moebius, 2};
  reference::Generator generator(5);
  const auto gauge = reference::random_gauge({{2, 2, 2, 2}}, generator);
  const auto quark = quark_on(alone.lattice, of, exact_solves, mass), mixed = quark->of_mass(mass, 1);
  Field q(alone.geometry, spinor_spec(Subset::full, 1, wide, Location::host)),
      psi(alone.geometry, five_dimensional_spec(Subset::full, 1, of.Ls, wide, Location::host));
  const Field links = test::to_plaq(gauge, alone.geometry, wide, Location::host);
  double log_of_k = 0;
  for (const int chirality : {chiral_plus, chiral_minus}) {
    DomainWallSeaQuark& here = chirality == chiral_plus ? *mixed : *quark;
    here.update(links);
    const ComplexDense k = matrix_of(numbers, [&](const test::Vector& v) {
      const Field b = test::to_plaq({test::from_vector<reference::SpinorField>(v)}, alone.geometry,
                                    Subset::full, wide, Location::host);
      here.propagate(q, psi, b, chirality, 1e-13);
      alone.lattice.queue.synchronize();
      test::Vector column = test::to_vectors(q).at(0);
      for (std::size_t i = 0; i < numbers; ++i) column[i] = v[i] + (1 - mass) * column[i];
      return column;
    });
    double most = 0;
    for (int i = 0; i < k.size(); ++i)
      for (int j = 0; j < k.size(); ++j) most = std::max(most, std::abs(k(i, j) - std::conj(k(j, i))));
    EXPECT_LT(most, 1e-11) << "Hermitian";
    log_of_k += log_determinant(k);
  }
  double log_of_ratio = 0;
  for (const double m : {1.0, mass}) {
    auto p = test::reference_of(quark->parameters());
    p.mass = m;
    log_of_ratio +=
        (m == 1 ? 1 : -1) *
        log_determinant(matrix_of(static_cast<std::size_t>(of.Ls) * numbers, [&](const test::Vector& v) {
          return test::to_vector(
              reference::domain_wall(p, gauge, test::from_vector<reference::SpinorField>(v)));
        }));
  }
  EXPECT_NEAR(log_of_k, log_of_ratio, 1e-9);
}

HybridMonteCarlo chain_on(const SharedLattice& lattice, int steps, double length,
                          const MdSolverSettings& settings, int stout) {
  return HybridMonteCarlo(
      MolecularDynamics(
          {{{Integrator::omelyan2, steps},
            {std::make_shared<GaugeMonomial>(lattice, wilson_gauge_action(5.6)),
             std::make_shared<ExactFlavourMonomial>(
                 "exact", 0, quark_on(lattice, {Wall::moebius, 4, {1, 1, 1, -1}, stout}, settings))}}},
          length),
      1);
}

TEST(ExactFlavourMonomial, TrajectoriesAreReversibleAndOfSecondOrder) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  for (const Location location : test::locations()) {
    const LatticeAlone alone({4, 2, 2, 4}, location);
    const auto trajectory = [&](int steps) {
      return test::reversible_delta_h(alone,
                                      chain_on(alone.lattice, steps, 0.5, {.force_tolerance = 1e-11}, 0));
    };
    EXPECT_NEAR(std::log2(trajectory(8) / trajectory(16)), 2, 0.1);
  }
}

TEST(ExactFlavourMonomial, HasTheSameBitsOnAnyGrid) {
  const Extents extents{4, 4, 2, 4};
  reference::Generator generator(12);
  const auto gauge = reference::weak_gauge({extents}, generator, 0.3);
  test::for_two_geometries(
      extents, test::same_as_alone(extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                                Location location) {
        const auto lattice = test::shared_lattice(grid, geometry, location);
        HybridMonteCarlo hmc = chain_on(lattice, 1, 0.1, {}, 1);
        PhaseSpace space(lattice, test::to_plaq(gauge, geometry, wide, location), hmc.halo_depth());
        return test::trajectory_bits(hmc, space, geometry, grid);
      }));
}

}  // namespace
}  // namespace plaq::exact_flavour_monomial_test

// The quark propagator in momentum space and residual masses of the C++ interface.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

const Extents momentum_extents{4, 4, 4, 8};
const Extents origin{1, 2, 3, 5};

// S(p) = -i k-slash v + s on unit links, whose gauge is Landau gauge.
TEST(QuarkPropagator, IsThatOfFreeQuarks) {
  test::for_one_lattice(momentum_extents, [](const Lattice& lattice) {
    const GaugeField U = unit_gauge(lattice);
    for (const ActionPtr& action :
         {wilson({.mass = 0.4}), domain_wall({.n_s = 4, .mass = 0.3, .boundary = {1, -1, 1, -1}})}) {
      DiracSolver solver(action, U, {.tolerance = 1e-12});
      const auto found = quark_propagator(action, U, solver.propagator(point_source(origin)), {.max_n = 2});
      EXPECT_LE(found.theta, 1e-20);
      ASSERT_GT(found.momenta.size(), 10u);
      for (const QuarkPropagatorMomentum& at : found.momenta) {
        EXPECT_LT(std::abs(at.scalar - at.tree_scalar), 1e-10);
        for (std::size_t mu = 0; mu < 4; ++mu)
          EXPECT_LT(std::abs(at.vector[mu] - std::complex<double>(0, -at.k[mu] * at.tree_vector)), 1e-10);
        EXPECT_GE(at.count, 1);
      }
    }
  });
}

// At rest in space: sums over time of sums over space.
TEST(QuarkPropagator, SumsOverTheLattice) {
  std::vector<std::complex<double>> first;
  test::for_some_lattices(momentum_extents, [&](const Lattice& lattice) {
    HeatbathChain chain(unit_gauge(lattice), {.beta = 6.2, .seed = 4});
    chain.update(3);
    const GaugeField U = chain.gauge();
    const ActionPtr action = wilson({.kappa = 0.11, .boundary = {1, 1, 1, 1}});
    DiracSolver unfixed(action, U, {.tolerance = 1e-4});
    test::expect_error([&] { quark_propagator(action, U, unfixed.propagator(point_source(origin))); },
                       ErrorKind::usage, {"theta", "fix it first"});
    const FixedGauge fixed = fix_gauge(U, {.gauge = Gauge::landau, .theta = 1e-8});
    DiracSolver solver(action, fixed.gauge, {.tolerance = 1e-8});
    const Propagator q = solver.propagator(point_source(origin));
    const auto found = quark_propagator(action, fixed.gauge, q, {.max_n = 1, .max_theta = 1e-7});
    EXPECT_LE(found.theta, 1e-7);
    HostField<std::complex<double>> density(lattice);
    const auto S = q.on_host();
    for (const LocalSite& site : lattice.local_sites()) density[site.index] = trace(S[site.index]) / 12.0;
    const Correlator of_t = momentum_sum(density, {}, origin);
    std::vector<std::complex<double>> values;
    for (const QuarkPropagatorMomentum& at : found.momenta) {
      values.push_back(at.scalar);
      if (at.n[0] != 0 || at.n[1] != 0 || at.n[2] != 0) continue;
      std::complex<double> sum = 0;
      for (std::size_t t = 0; t < 8; ++t)
        sum += std::cos(2 * std::numbers::pi * at.n[3] * static_cast<double>(t) / 8) * of_t[t];
      EXPECT_LT(std::abs(at.scalar - sum), 1e-12);
    }
    if (lattice.location() == Location::device) return;
    if (first.empty()) first = values;
    EXPECT_EQ(values, first);
  });
}

TEST(QuarkPropagator, WrongCallsAreErrors) {
  const test::TestSession test;
  if (!test::fits(momentum_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, momentum_extents);
  const GaugeField U = unit_gauge(lattice);
  const ActionPtr action = wilson({.mass = 0.4}), none = staggered({.mass = 0.4});
  const auto refuse = [&](const ActionPtr& a, const test::Parts& parts, const Propagator& quark,
                          const QuarkPropagatorSettings& settings = {}) {
    test::expect_error([&] { quark_propagator(a, U, quark, settings); }, ErrorKind::usage, parts);
  };
  Propagator quark(lattice);
  refuse(action, {"position"}, quark);
  quark.note().position = origin;
  refuse(action, {"max_n"}, quark, {.max_n = -1});
  refuse(none, {"staggered"}, quark);
  quark.note().source_type = "wall";
  refuse(action, {"wall", "point source"}, quark);
}

// The axial Ward identity: |q_mid|^2 summed over the lattice is the residual mass times |q|^2.
TEST(ResidualMass, HoldsTheWardIdentity) {
  test::for_one_lattice(momentum_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    const double m = 0.3;
    DiracSolver solver(domain_wall({.n_s = 4, .mass = m}), U, {.tolerance = 1e-12});
    const ResidualMass found =
        residual_mass(solver, point_source(origin), {.midpoint = true, .plateau = Plateau{2, 6}});
    Propagator midpoint(lattice);
    const Propagator q = solver.propagator(point_source(origin), &midpoint);
    EXPECT_EQ(norm2(q - found.quark), std::vector<double>(12, 0.0));
    double above = 0, below = 0;
    for (const double n : norm2(midpoint)) above += n;
    for (const double n : norm2(q)) below += n;
    EXPECT_NEAR(found.masses.summed, above / below, 1e-9 * above / below);
    double average = 0;
    for (std::size_t t = 2; t <= 6; ++t) average += found.masses.midpoint[t] / 5;
    EXPECT_NEAR(found.masses.midpoint_plateau, average, 1e-12);
    EXPECT_EQ(found.masses.pcac.size(), 8u);
    EXPECT_NEAR(meson(q, pion)[3].real() * found.masses.midpoint[3], found.masses.midpoint_pion[3].real(),
                1e-12 * found.masses.midpoint_pion[3].real());
  });
}

TEST(ResidualMass, WrongCallsAreErrors) {
  const test::TestSession test;
  if (!test::fits(momentum_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, momentum_extents);
  const GaugeField U = unit_gauge(lattice);
  const SourcePtr source = point_source(origin);
  DiracSolver four(wilson({.mass = 0.4}), U), odd(domain_wall({.n_s = 3, .mass = 0.3}), U);
  const auto refuse = [&](DiracSolver& solver, const test::Parts& parts,
                          const ResidualMassSettings& settings = {}) {
    test::expect_error([&] { residual_mass(solver, source, settings); }, ErrorKind::usage, parts);
  };
  refuse(four, {"domain-wall"});
  refuse(odd, {"midpoint"}, {.midpoint = true});
  refuse(odd, {"plateau", "0 to 7"}, {.plateau = Plateau{2, 8}});
  refuse(odd, {"plateau"}, {.plateau = Plateau{5, 4}});
  Propagator midpoint(lattice);
  test::expect_error([&] { four.propagator(source, &midpoint); }, ErrorKind::usage, {"midpoint"});
}

}  // namespace
}  // namespace plaq

// Quark loops of the C++ interface: with all of the dilution they are traces of propagators, at every site;
// noise vectors are those of jobs, alone or together.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <numeric>

#include "comms/start/shared_lattice.hpp"
#include "observables/quark/quark_loops.hpp"
#include "plaq/action_on_links.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "tests/plaq/session.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

const Extents loop_extents{4, 2, 2, 4};

// [current][t] of the sum over x of exp(-i p x) tr[Gamma M^-1(x, x)].
std::vector<Correlator> exact_loops(DiracSolver& solver, const std::vector<LoopCurrent>& currents,
                                    const Momentum& n) {
  const Lattice& lattice = solver.lattice();
  const Extents extents = lattice.extents();
  std::vector<HostField<std::complex<double>>> densities(currents.size(),
                                                         HostField<std::complex<double>>(lattice));
  Extents y{};
  for (y[3] = 0; y[3] < extents[3]; ++y[3])
    for (y[2] = 0; y[2] < extents[2]; ++y[2])
      for (y[1] = 0; y[1] < extents[1]; ++y[1])
        for (y[0] = 0; y[0] < extents[0]; ++y[0]) {
          const Propagator q = solver.propagator(point_source(y));
          for (std::size_t c = 0; c < currents.size(); ++c) {
            if (q.spins() == 4) {
              const auto S = Propagator(currents[c].gamma * q).on_host();
              for (const LocalSite& site : lattice.local_sites())
                if (site.x == y) densities[c][site.index] = trace(S[site.index]);
            } else {
              const auto S = q.staggered_on_host();
              for (const LocalSite& site : lattice.local_sites())
                if (site.x == y) densities[c][site.index] = trace(S[site.index]);
            }
          }
        }
  std::vector<Correlator> loops;
  for (const auto& density : densities) loops.push_back(momentum_sum(density, n));
  return loops;
}

// `action_at`: the action with so much more mass.
void expect_exact(const std::function<ActionPtr(double)>& action_at,
                  const std::vector<LoopCurrent>& currents) {
  const ActionPtr action = action_at(0);
  const test::TestSession test;
  if (!test::fits(loop_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, loop_extents);
  const GaugeField U = random_gauge(lattice, 3);
  DiracSolver solver(action, U, {.tolerance = 1e-9});
  const Momentum n{1, 0, 0};
  QuarkLoopSettings settings{
      .noise = {.type = Noise::z2, .seed = 5, .vectors = 1},
      .dilution = {.time = 4, .space = {4, 2, 2}, .spin = spins_of(*action) == 4, .color = true},
      .currents = currents,
      .momenta = {n, {0, 0, 0}},
      .squared = spins_of(*action) == 1};
  const auto loops = quark_loops(solver, settings);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].true_residuals.size(), 64u * 3 * static_cast<unsigned>(spins_of(*action)));
  const auto expected = exact_loops(solver, currents, n);
  for (std::size_t c = 0; c < currents.size(); ++c)
    for (std::size_t t = 0; t < 4; ++t)
      EXPECT_LT(std::abs(loops[0].values[c][0][t] - expected[c][t]), 1e-7) << currents[c].name << " " << t;
  if (spins_of(*action) == 4) {
    // Without noise an expansion changes nothing, at momentum 0 with its exact term.
    settings.hopping = 2;
    const auto expanded = quark_loops(solver, settings);
    EXPECT_NE(expanded[0].values, loops[0].values);
    for (std::size_t c = 0; c < currents.size(); ++c)
      for (std::size_t p = 0; p < 2; ++p)
        for (std::size_t t = 0; t < 4; ++t)
          EXPECT_LT(std::abs(expanded[0].values[c][p][t] - loops[0].values[c][p][t]), 1e-7)
              << currents[c].name << " " << p << " " << t;
    return;  // for the squared trace four times the solves, for the same second ones
  }
  // d/dm of tr M^-1 is -tr M^-2.
  const auto scalar_at = [&](double change) {
    DiracSolver near(action_at(change), U, {.tolerance = 1e-10});
    const auto all = quark_loops(near, {.noise = {.type = Noise::z2, .seed = 5, .vectors = 1},
                                        .dilution = {.time = 4, .space = {4, 2, 2}, .color = true},
                                        .currents = {loop_current("scalar")}});
    return std::accumulate(all[0].values[0][0].begin(), all[0].values[0][0].end(), std::complex<double>());
  };
  const double step = 1e-3;
  const auto slope = (scalar_at(step) - scalar_at(-step)) / (2 * step);
  const auto squared =
      std::accumulate(loops[0].squared.begin(), loops[0].squared.end(), std::complex<double>());
  EXPECT_LT(std::abs(slope + squared), 1e-4 * std::abs(squared));
}

TEST(QuarkLoops, FullDilutionIsExact) {
  expect_exact(
      [](double change) { return wilson({.kappa = 1 / (2 * (7 + change))}); },
      {loop_current("scalar"), loop_current("vector_t"), {"of one's own", gamma(0) * gamma5() * gamma(2)}});
  expect_exact([](double change) { return staggered({.mass = 2 + change}); }, {loop_current("scalar")});
}

// With all of the dilution they are the differences of loops of both flavours.
TEST(QuarkLoops, OneEndTrickIsTheDifferenceOfFlavours) {
  test::for_one_lattice(loop_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    QuarkLoopSettings settings{.noise = {.type = Noise::z4, .seed = 5, .vectors = 1},
                               .dilution = {.time = 4, .space = {4, 2, 2}, .spin = true, .color = true},
                               .momenta = {{}, {1, 0, 0}}};
    const auto loops_of = [&](double mu, bool one_end) {
      settings.one_end = one_end;
      DiracSolver solver(clover({.kappa = 0.11, .c_sw = 1.2, .twisted_mass = mu}), U, {.tolerance = 1e-9});
      return quark_loops(solver, settings).front().values;
    };
    const Correlators up = loops_of(0.3, false), down = loops_of(-0.3, false), found = loops_of(0.3, true);
    double largest = 0;
    ASSERT_EQ(found.size(), 16u);
    for (std::size_t c = 0; c < found.size(); ++c)
      for (std::size_t p = 0; p < 2; ++p)
        for (std::size_t t = 0; t < 4; ++t) {
          const std::complex<double> expected = up[c][p][t] - down[c][p][t];
          EXPECT_LT(std::abs(found[c][p][t] - expected), 1e-7) << all_loop_currents()[c].name << " " << p;
          largest = std::max(largest, std::abs(expected));
        }
    EXPECT_GT(largest, 1);
  });
}

TEST(QuarkLoops, VectorsAreThoseOfJobs) {
  test::for_one_lattice(loop_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    const ActionPtr action = wilson({.kappa = 0.11});
    const SolverSettings settings{.tolerance = 1e-6};
    DiracSolver solver(action, U, settings);
    QuarkLoopSettings wanted{.noise = {.seed = 7, .vectors = 4}, .dilution = {.time = 2}};
    {
      wanted.hopping = 2;
      const auto expanded = quark_loops(solver, wanted);
      QuarkLoops alone(lattice.shared(), wanted, {.diagonal = 1 / (2 * 0.11)}, 2);
      PropagatorSolver solves(action_on_links(action, U, {}).links, action,
                              resolved(settings, *action, lattice.location()), alone.together());
      for (int vector = 0; vector < 4; ++vector)
        EXPECT_EQ(expanded[static_cast<std::size_t>(vector)].values, alone(solves, vector, "U").values);
      wanted.hopping = 0;
    }
    const auto loops = quark_loops(solver, wanted);
    ASSERT_EQ(loops.size(), 4u);
    ASSERT_EQ(loops[0].values.size(), 16u);
    QuarkLoops expected(lattice.shared(), wanted, {}, 2);
    PropagatorSolver solves(action_on_links(action, U, {}).links, action,
                            resolved(settings, *action, lattice.location()), expected.together());
    for (int vector = 0; vector < 4; ++vector)
      EXPECT_EQ(loops[static_cast<std::size_t>(vector)].values, expected(solves, vector, "U").values);
    const Correlators mean = average(loops);
    std::complex<double> sum = 0;
    for (const QuarkLoop& loop : loops) sum += loop.values[3][0][1];
    EXPECT_LT(std::abs(mean[3][0][1] - sum / 4.0), 1e-14);
  });
}

TEST(QuarkLoops, WrongSettingsAreErrors) {
  const test::TestSession test;
  if (!test::fits(loop_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const Lattice lattice(test.session, loop_extents);
  DiracSolver spins(wilson({.kappa = 0.1}), unit_gauge(lattice)),
      none(staggered({.mass = 1}), unit_gauge(lattice));
  const auto refuse = [](DiracSolver& solver, const test::Parts& parts, const QuarkLoopSettings& settings) {
    test::expect_error([&] { quark_loops(solver, settings); }, ErrorKind::usage, parts);
  };
  refuse(spins, {"'vectors'"}, {.noise = {.vectors = 0}});
  refuse(spins, {"'seed'"}, {.noise = {.seed = -1}});
  refuse(spins, {"dilution.time", "3"}, {.dilution = {.time = 3}});
  refuse(spins, {"dilution.probing", "power of 2"}, {.dilution = {.probing = 6}});
  refuse(spins, {"time", "0"}, {.dilution = {.time = 0}});
  refuse(spins, {"dilution.even_odd"}, {.dilution = {.time = 2, .space = {2, 2, 2}, .even_odd = true}});
  refuse(spins, {"momenta"}, {.momenta = {{0, 2, 0}}});
  refuse(spins, {"hopping", "0 to 4"}, {.hopping = 5});
  refuse(spins, {"hopping", "at least 3"}, {.hopping = 3});
  refuse(none, {"hopping", "Wilson"}, {.hopping = 1});
  refuse(spins, {"one_end", "twist"}, {.one_end = true});
  refuse(none, {"one_end", "twist"}, {.one_end = true});
  refuse(none, {"dilution.spin"}, {.dilution = {.spin = true}});
  refuse(none, {"currents", "vector_t"}, {.currents = {loop_current("vector_t")}});
  EXPECT_EQ(quark_loops(none, {.noise = {.vectors = 1}})[0].values.size(), 1u);
  test::expect_error([] { loop_current("charm"); }, ErrorKind::usage, {"charm", "pseudoscalar"});
  EXPECT_THROW(average({}), Error);
}

}  // namespace
}  // namespace plaq

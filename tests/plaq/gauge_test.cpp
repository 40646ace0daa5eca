// Gauge fields of the C++ interface: files, chains, flow and gauge fixing.
#include <gtest/gtest.h>

#include "comms/start/shared_lattice.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/plaq/session.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/files.hpp"

namespace plaq {
namespace {

const Extents gauge_test_extents{4, 4, 4, 8};

double distance(const GaugeField& a, const GaugeField& b) {
  const auto x = a.on_host(), y = b.on_host();
  double largest = 0;
  for (const LocalSite& site : a.lattice().local_sites())
    for (int mu = 0; mu < 4; ++mu)
      for (std::size_t i = 0; i < 9; ++i)
        largest = std::max(largest, std::abs(x(mu, site.index).values[i] - y(mu, site.index).values[i]));
  return largest;
}

TEST(Gauge, FilesComeBack) {
  const test::SharedDirectory folder;
  test::for_all_lattices(gauge_test_extents, [&](const Lattice& lattice) {
    GaugeField U = random_gauge(lattice, 7);
    const std::string path = folder / "field.nersc";
    const std::string checksum = write_gauge(U, path, {.format = "nersc", .overwrite = true});
    GaugeField V = read_gauge(path, lattice);
    EXPECT_LT(distance(U, V), 1e-15);
    EXPECT_EQ(V.file().checksum, checksum);
    EXPECT_EQ(V.file().file, "field.nersc");
    EXPECT_EQ(GaugeField(V).file().checksum, checksum);  // of a copy too
    EXPECT_EQ(gauge_extents(path), gauge_test_extents);
    V.set(U.on_host());
    EXPECT_EQ(V.file().checksum, "");  // the links may be others now
    EXPECT_THROW(write_gauge(U, path, {.format = "nersc"}), Error);
    EXPECT_THROW(write_gauge(U, path, {.format = "paper", .overwrite = true}), Error);
    EXPECT_THROW(read_gauge(folder / "none", lattice), Error);
  });
}

TEST(Gauge, AFileMakesItsLattice) {
  const test::SharedDirectory folder;
  const test::TestSession test;
  if (!test::fits(gauge_test_extents)) GTEST_SKIP() << "no process grid of this many ranks";
  const GaugeField U = random_gauge(Lattice(test.session, gauge_test_extents), 7);
  write_gauge(U, folder / "field.lime");
  const GaugeField V = read_gauge(folder / "field.lime", test.session);
  EXPECT_EQ(V.lattice().extents(), gauge_test_extents);
  EXPECT_EQ(plaquette(V), plaquette(U));
}

TEST(Gauge, HeatbathIsThatOfJobs) {
  test::for_all_lattices(gauge_test_extents, [](const Lattice& lattice) {
    const SharedLattice& shared = lattice.shared();
    const GaugeField start = random_gauge(lattice, 2);
    HeatbathChain chain(start, {.beta = 5.7, .seed = 9, .overrelaxation = 2, .reunitarize_every = 2});
    chain.update(3);
    EXPECT_EQ(chain.sweeps(), 3);
    Field links = with_halo(start);
    QuenchedUpdate update(*shared.grid, links, {5.7, 9}, shared.transport);
    for (std::uint32_t sweep = 0; sweep < 3; ++sweep) {
      update.heatbath_sweep(links, sweep, shared.queue);
      update.overrelaxation_sweep(links, shared.queue);
      update.overrelaxation_sweep(links, shared.queue);
      if (sweep == 1) reunitarize(links, shared.queue);
    }
    EXPECT_EQ(distance(chain.gauge(), GaugeField(lattice, links)), 0);
    // It goes on where another one ended.
    HeatbathChain first(start, {.beta = 5.7, .seed = 9});
    first.update(2);
    HeatbathChain second(first.gauge(), {.beta = 5.7, .seed = 9}, 2);
    first.update();
    second.update();
    EXPECT_EQ(distance(first.gauge(), second.gauge()), 0);
    EXPECT_THROW(HeatbathChain(start, {.beta = 0}), Error);
    EXPECT_THROW(HeatbathChain(start, {.heatbath = 0, .overrelaxation = 0}), Error);
  });
}

TEST(Gauge, HeatbathHasImprovedActions) {
  test::for_all_lattices(gauge_test_extents, [](const Lattice& lattice) {
    const SharedLattice& shared = lattice.shared();
    const GaugeField start = random_gauge(lattice, 2);
    HeatbathChain chain(start, {.beta = 4.2, .seed = 9, .overrelaxation = 1, .action = "symanzik"});
    chain.update(2);
    const LoopWeights weights = rectangle_gauge_action(4.2, symanzik_c1);
    Field links(shared.geometry->extended(2), start.field().spec());
    copy(links, start.field());
    QuenchedUpdate update(*shared.grid, links, weights, 9, shared.transport);
    update.fill_halo(links, shared.queue);
    for (std::uint32_t sweep = 0; sweep < 2; ++sweep) {
      update.heatbath_sweep(links, sweep, shared.queue);
      update.overrelaxation_sweep(links, shared.queue);
    }
    EXPECT_EQ(distance(chain.gauge(), GaugeField(lattice, links)), 0);
    test::expect_error(ErrorKind::usage, "'u0'", [&] { HeatbathChain(start, {.beta = 4, .u0 = 0.9}); });
    test::expect_error(ErrorKind::usage, "'action'", [&] { HeatbathChain(start, {.action = "iwazaki"}); });
  });
}

TEST(Gauge, FlowHasOtherActionsAndAdaptiveSteps) {
  test::for_all_lattices(gauge_test_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    const FlowRun run{.step = 0.02, .t_max = 0.1, .measure_interval = 5, .action = FlowAction::zeuthen};
    const Flow flow = wilson_flow(U, run);
    Field links(lattice.shared().geometry->extended(2), U.field().spec());
    copy(links, U.field());
    ExtendedHalo(*lattice.shared().grid, links.geometry_ptr(), links.spec(), lattice.shared().transport)
        .exchange(links, lattice.shared().queue);
    GradientFlow(*lattice.shared().grid, links, lattice.shared().transport, FlowAction::zeuthen)
        .run(links, run, lattice.shared().queue);
    EXPECT_EQ(distance(flow.gauge, GaugeField(lattice, links)), 0);
    FlowRun adaptive = run;
    adaptive.tolerance = 1e-5;
    const double off = distance(wilson_flow(U, adaptive).gauge, flow.gauge);
    EXPECT_GT(off, 0);
    EXPECT_LT(off, 1e-2);
    FlowRun unstable = run;
    unstable.step = 0.15;
    test::expect_error(ErrorKind::usage, "at most 0.141", [&] { wilson_flow(U, unstable); });
  });
}

TEST(Gauge, FlowCallsBackWithItsField) {
  test::for_all_lattices(gauge_test_extents, [](const Lattice& lattice) {
    const GaugeField U = random_gauge(lattice, 3);
    std::vector<double> times;
    const Flow flow = wilson_flow(U, {.step = 0.02, .t_max = 0.1, .measure_interval = 2},
                                  [&](const GaugeField& flowed, const FlowPoint& point) {
                                    times.push_back(point.t);
                                    EXPECT_NEAR(clover_energy(flowed), point.clover_energy, 1e-12);
                                  });
    ASSERT_EQ(times.size(), flow.points.size());
    EXPECT_EQ(times.size(), 4u);  // 0, 0.04, 0.08, 0.1
    EXPECT_GT(plaquette(flow.gauge), plaquette(U));
    EXPECT_EQ(flow.points.front().clover_energy, clover_energy(U));
    EXPECT_THROW(wilson_flow(U, {.step = -1}), Error);
    EXPECT_THROW(wilson_flow(U, {.step = 0.2}), Error);
  });
}

TEST(Gauge, FixedFieldsAreTransformedOnes) {
  const test::SharedDirectory folder;
  test::for_all_lattices(gauge_test_extents, [&](const Lattice& lattice) {
    HeatbathChain chain(unit_gauge(lattice), {.beta = 6.2, .seed = 4});
    chain.update(3);
    const GaugeField U = chain.gauge();
    const FixedGauge fixed = fix_gauge(U, {.gauge = Gauge::landau, .theta = 1e-10}, {.copies = 2});
    EXPECT_LE(gauge_quality(fixed.gauge, Gauge::landau).theta, 1.1e-10);
    EXPECT_EQ(fixed.copies.size(), 2u);
    EXPECT_GE(fixed.outcome.functional, fixed.copies[0].functional);
    EXPECT_NEAR(link_trace(fixed.gauge), fixed.outcome.functional, 1e-12);
    EXPECT_NEAR(plaquette(fixed.gauge), plaquette(U), 1e-13);
    EXPECT_EQ(distance(transformed(U, fixed.transformation), fixed.gauge), 0);
    const std::string path = folder / "g.lime";
    write_transformation(fixed.transformation, path, true);
    EXPECT_LT(distance(transformed(U, read_transformation(path, lattice)), fixed.gauge), 1e-14);
    const auto refuse = [&](const char* what, const FixingSettings& settings,
                            const CopySettings& copies = {}) {
      test::expect_error([&] { fix_gauge(U, settings, copies); }, ErrorKind::usage,
                         {"fix_gauge(): setting ", what});
    };
    refuse("'copies': found 0, must be 1 to 100000", {}, {.copies = 0});
    refuse("'theta': found 0.0, must be greater than 0 and less than 1", {.theta = 0});
    refuse("'overrelaxation.omega': found 2.0, must be 1 to 1.99", {.omega = 2.0});
    refuse("'measure_every': found 0, must be 1 to 1000000", {.measure_every = 0});
    refuse("'annealing.coldest': must be at most hottest",
           {.annealing = {.steps = 1, .hottest = 1, .coldest = 2}});
    EXPECT_THROW(fix_gauge(U, {.theta = 1e-40, .max_sweeps = 20, .patience = 10, .restarts = 0}), Error);
  });
}

// Each check is that of the history of its copy, and an exception ends the fixing.
TEST(Gauge, FixingTellsOfItsChecks) {
  test::for_all_lattices(gauge_test_extents, [&](const Lattice& lattice) {
    const GaugeField U =
        smeared(random_gauge(lattice, 4), {.type = LinkSmearingKind::stout, .steps = 4, .rho = 0.1});
    const FixingSettings settings{.theta = 1e-10, .measure_every = 10};
    std::vector<FixingCheck> seen;
    const FixedGauge fixed = fix_gauge(U, settings, {.copies = 2, .at_once = 2}, [&](const auto& checks) {
      seen.insert(seen.end(), checks.begin(), checks.end());
    });
    for (const CopyOutcome& copy : fixed.copies) {
      std::size_t k = 0;
      const std::vector<HistoryPoint>& history = copy.history.points();
      for (const FixingCheck& check : seen) {
        if (check.copy != copy.copy) continue;
        ASSERT_LT(k, history.size());
        EXPECT_EQ(check.point.sweeps, history[k].sweeps);
        EXPECT_EQ(check.point.theta, history[k].theta);
        EXPECT_EQ(check.point.functional, history[k++].functional);
      }
      EXPECT_EQ(k, history.size());
      EXPECT_LT(history.back().theta, history.front().theta);
    }
    EXPECT_EQ(distance(fix_gauge(U, settings, {.copies = 2}).gauge, fixed.gauge), 0);
    int checks = 0;
    EXPECT_THROW(fix_gauge(U, settings, {},
                           [&](const auto&) {
                             if (++checks == 2) throw std::runtime_error("enough");
                           }),
                 std::runtime_error);
    EXPECT_EQ(checks, 2);
  });
}

}  // namespace
}  // namespace plaq

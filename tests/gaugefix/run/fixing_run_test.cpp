// Runs of gauge fixing: every copy fixed or said not to be, the same whatever is beside it and on any process
// grid; the omega that is adapted; the curve that is kept.
#include "gaugefix/run/fixing_run.hpp"

#include "core/system/error.hpp"
#include "tests/gaugefix/fixing.hpp"

namespace plaq {
namespace {

using test::wide;
constexpr Extents extents{4, 4, 4, 4};

reference::GaugeField some_links(double strength) { return test::weak_links(extents, 3, strength); }

// A field on the host, on one grid of all ranks.
struct Problem : test::OneGrid {
  explicit Problem(double strength)
      : OneGrid(extents), field(test::to_plaq(some_links(strength), geometry, wide, Location::host)) {}
  FixingRun run(const FixingSettings& settings, const AtFixingCheck& at_check = {}) const {
    return FixingRun(grid, field, settings, queue, make_host_transport(grid, Location::host), at_check);
  }
  const Field field;
  const Queue queue{Location::host};
};

FixingSettings settings_of(Gauge gauge) {
  FixingSettings settings;
  settings.gauge = gauge;
  settings.theta = 1e-14;
  settings.measure_every = 10;
  return settings;
}

void expect_same(const CopyOutcome& a, const CopyOutcome& b) {
  const auto members = [](const CopyOutcome& o) {
    return std::tuple(o.copy, o.converged, o.functional, o.theta, o.worst_slice, o.annealing, o.stochastic,
                      o.overrelaxation, o.restarts, o.omega);
  };
  EXPECT_EQ(members(a), members(b));
  ASSERT_EQ(a.history.points().size(), b.history.points().size());
  for (std::size_t i = 0; i < a.history.points().size(); ++i) {
    EXPECT_EQ(a.history.points()[i].theta, b.history.points()[i].theta);
    EXPECT_EQ(a.history.points()[i].functional, b.history.points()[i].functional);
  }
}

TEST(FixingRun, CopiesAreFixedTheSameAloneTogetherAndOnEveryGrid) {
  const auto links = some_links(0.7);
  test::Turns turns(4), grids(3);  // several ranks: each gauge and each precision once
  for (const Gauge gauge : test::all_gauges)
    for (const auto precision : test::all_fixing_precisions) {
      if (!turns.mine()) continue;
      test::FirstFound<std::vector<CopyOutcome>> known;
      test::for_all_geometries(
          extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
            if (!grids.mine()) return;
            const Field field = test::to_plaq(links, g, wide, location);
            const Queue queue(location);
            FixingSettings settings = settings_of(gauge);
            settings.precision = precision;
            settings.annealing.steps = 5;
            settings.stochastic_sweeps = 20;
            FixingRun run(grid, field, settings, queue, make_host_transport(grid, location));
            const auto together = run.run(0, 4);
            ASSERT_EQ(together.size(), 4u);
            double best = -1;
            for (const CopyOutcome& outcome : together) {
              EXPECT_TRUE(outcome.converged);
              EXPECT_LT(gauge == Gauge::coulomb ? outcome.worst_slice : outcome.theta, settings.theta);
              EXPECT_EQ(outcome.annealing, outcome.restarts == 0 ? 20 : outcome.annealing);
              best = std::max(best, outcome.functional);
            }
            EXPECT_EQ(run.best().functional, best);
            // What is kept has that functional.
            GaugeFixer fixer = test::make_fixer(grid, field, gauge, FixingPrecision::full);
            fixer.start_from(0, run.best().g);
            EXPECT_NEAR(fixer.quality().front().functional, best, 1e-14);

            FixingRun alone(grid, field, settings, queue, make_host_transport(grid, location));
            alone.know_omega(together[1].omega);
            expect_same(alone.run(2, 1).front(), together[2]);
            const auto& first = known.at(location, together);
            for (std::size_t k = 0; k < 4; ++k) expect_same(together[k], first[k]);
          });
    }
}

TEST(FixingRun, StartsFromTheLinksWhereAsked) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem(0.05);
  FixingSettings settings = settings_of(Gauge::landau);
  settings.from_links = true;
  const auto outcomes = problem.run(settings).run(0, 2);
  GaugeFixer unfixed = test::make_fixer(problem.grid, problem.field, Gauge::landau, FixingPrecision::full);
  const double before = unfixed.quality().front().functional;
  ASSERT_FALSE(outcomes[0].history.points().empty());
  EXPECT_GE(outcomes[0].history.points().front().functional, before);
  EXPECT_LT(outcomes[1].history.points().front().functional, outcomes[0].functional);
}

// Without a way to theta a run ends all the same, and says what it has.
TEST(FixingRun, EndsWhereThetaCannotBeReached) {
  const Problem problem(0.7);
  FixingSettings settings = settings_of(Gauge::landau);
  settings.theta = 1e-60;  // below rounding
  settings.patience = 400;
  settings.restarts = 2;
  FixingRun run = problem.run(settings);
  const auto outcomes = run.run(0, 2);
  ASSERT_EQ(outcomes.size(), 2u);
  for (const CopyOutcome& outcome : outcomes) {
    EXPECT_FALSE(outcome.converged);
    EXPECT_EQ(outcome.restarts, 2);
    EXPECT_GT(outcome.stochastic, 0);
    EXPECT_LT(outcome.theta, 1e-25);
    EXPECT_GT(outcome.functional, 0.5);
  }
  EXPECT_LT(run.best().copy, 0);
  settings.theta = 1e-14;
  settings.max_sweeps = 10;  // too few
  const auto cut = problem.run(settings).run(0, 1).front();
  EXPECT_FALSE(cut.converged);
  EXPECT_LE(cut.overrelaxation, 10 * (3 + settings.restarts));
}

// Copies that stochastic relaxation alone brings to theta leave an omega to those that need it.
TEST(FixingRun, NeedsNoOverrelaxation) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const Problem problem(0.3);
  FixingSettings settings = settings_of(Gauge::landau);
  settings.theta = 1e-4;
  settings.stochastic_sweeps = 2000;
  FixingRun run = problem.run(settings);
  for (const CopyOutcome& outcome : run.run(0, 3)) {
    EXPECT_TRUE(outcome.converged);
    EXPECT_EQ(outcome.overrelaxation, 0);
    EXPECT_GE(outcome.omega, 1);
  }
  settings.theta = 1e-10;  // the second copy has to go on where the first one did not
  settings.stochastic_sweeps = 20;
  FixingRun goes_on = problem.run(settings);
  goes_on.know_omega(run.run(3, 1).front().omega);
  EXPECT_TRUE(goes_on.run(1, 1).front().converged);
}

TEST(FixingRun, PollEndsIt) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  int polls = 0;
  const Problem problem(0.7);
  FixingRun run = problem.run(settings_of(Gauge::landau), [&](const auto&) {
    if (++polls == 2) throw Error(ErrorKind::stopped, "stop");
  });
  EXPECT_THROW(run.run(0, 1), Error);
  EXPECT_EQ(polls, 2);
}

// A mode that falls by lambda a sweep as red-black overrelaxation makes it, from both sides of the best
// omega.
TEST(OmegaControl, FindsTheBestOmega) {
  for (const double mu : {0.9, 0.99, 0.999}) {
    const double best = 2 / (1 + std::sqrt(1 - mu * mu));
    OmegaControl control({});
    double theta = 1;
    for (int n = 0; n < 400; ++n) {
      const double omega = control.omega();
      // The larger root of (lambda + omega - 1)^2 = lambda omega^2 mu^2, or its modulus.
      const double half = omega * mu / 2, inside = half * half - (omega - 1);
      const double lambda = inside > 0 ? std::pow(half + std::sqrt(inside), 2) : omega - 1;
      theta *= std::pow(lambda, 2 * 20);
      if (theta < 1e-280) break;
      control.observe(20, theta);
    }
    EXPECT_NEAR(std::log(2 - control.omega()), std::log(2 - best), 0.35) << "mu " << mu;
  }
}

TEST(FixingHistory, KeepsACurveOfAnyLength) {
  for (const int points : {0, 1, 7, 8, 9, 1000, 4097}) {
    FixingHistory history(8);
    for (int i = 0; i < points; ++i) history.add({FixingStage::annealing, static_cast<double>(i), 0, 0, 0});
    EXPECT_LE(history.points().size(), 8u);
    EXPECT_GE(history.points().size(), static_cast<std::size_t>(std::min(points, 4)));
    for (std::size_t i = 1; i < history.points().size(); ++i)
      EXPECT_EQ(history.points()[i].sweeps - history.points()[i - 1].sweeps, history.points()[1].sweeps);
    if (points > 0) {
      EXPECT_EQ(history.points().front().sweeps, 0);
    }
  }
}

}  // namespace
}  // namespace plaq

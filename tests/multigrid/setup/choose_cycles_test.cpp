// Parameters of cycles that setups choose: against all candidates of known costs, and
// against what they probed themselves.
#include "multigrid/setup/choose_cycles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "multigrid/multigrid.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/operators/wilson_level.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq {
namespace {

using Cycles = std::vector<CycleParameters>;

LevelSettings open_level(int steps = 4, double tolerance = 0.25) {
  LevelSettings level;
  level.smoothing_steps = steps;
  level.coarse.tolerance = tolerance;
  level.chooses_steps = level.chooses_tolerance = true;
  return level;
}

// An iteration that takes off a factor of e costs so many seconds, by its bytes.
ProbeResult costs(double seconds, double coarse_iterations = 5) {
  ProbeResult result;
  result.reduction = std::exp(-1.0);
  result.iteration = {0, 4e12 * seconds};
  result.coarse_iterations = coarse_iterations;
  return result;
}

std::vector<CycleProbe> choose(const std::vector<LevelSettings>& levels, int most,
                               const std::function<double(const Cycles&)>& seconds, double iterations = 5) {
  Cycles begin;
  for (const LevelSettings& level : levels) begin.push_back(level.cycle());
  const auto probed = [&](const Cycles& cycles) { return costs(seconds(cycles), iterations); };
  return choose_cycles(levels, {begin, probed(begin)}, most, probed);
}

void expect_each_once(const std::vector<CycleProbe>& tried) {
  for (std::size_t i = 0; i < tried.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(tried[i].cycles == tried[j].cycles);
}

TEST(ChooseCycles, FindsTheLeastOfEveryValley) {
  for (const int steps : {2, 4, 6, 8})
    for (const double tolerance : {0.1, 0.25, 0.5}) {
      const auto tried = choose({open_level()}, 100, [&](const Cycles& c) {
        return 1 + std::abs(c[0].smoothing_steps - steps) +
               std::abs(std::log(c[0].coarse_tolerance / tolerance));
      });
      EXPECT_EQ(best_of(tried).cycles, (Cycles{{steps, tolerance}}));
      EXPECT_EQ(tried.front().cycles, (Cycles{{4, 0.25}}));
      EXPECT_LE(tried.size(), 8u);
      expect_each_once(tried);
    }
}

// The best number of steps is another one at another tolerance: both are looked at again.
TEST(ChooseCycles, ComesBackToAParameterWhenAnotherHasChanged) {
  const auto tried = choose({open_level()}, 100, [](const Cycles& c) {
    const int best_steps = c[0].coarse_tolerance < 0.2 ? 8 : c[0].coarse_tolerance < 0.3 ? 6 : 4;
    return 1 + std::abs(c[0].smoothing_steps - best_steps) + 20 * c[0].coarse_tolerance;
  });
  EXPECT_EQ(best_of(tried).cycles, (Cycles{{8, 0.1}}));
  expect_each_once(tried);
}

TEST(ChooseCycles, EveryLatticeHasStepsAndTheFirstATolerance) {
  const std::vector<LevelSettings> levels(3, open_level());
  const auto tried = choose(levels, 100, [](const Cycles& c) {
    return 100.0 + c[0].smoothing_steps - c[1].smoothing_steps - 2 * c[2].smoothing_steps +
           c[0].coarse_tolerance - c[1].coarse_tolerance;
  });
  EXPECT_EQ(best_of(tried).cycles, (Cycles{{2, 0.1}, {8, 0.25}, {8, 0.25}}));
}

TEST(ChooseCycles, LeavesAloneWhatIsNotOpen) {
  const auto falls = [](const Cycles& c) { return 100.0 - c[0].smoothing_steps + c[0].coarse_tolerance; };
  LevelSettings no_steps = open_level(3), no_tolerance = open_level(4, 0.3);
  no_steps.chooses_steps = no_tolerance.chooses_tolerance = false;
  EXPECT_EQ(best_of(choose({no_steps}, 100, falls)).cycles, (Cycles{{3, 0.1}}));
  EXPECT_EQ(best_of(choose({no_tolerance}, 100, falls)).cycles, (Cycles{{8, 0.3}}));
  // Nothing is iterated below.
  EXPECT_EQ(best_of(choose({open_level()}, 100, falls, 0)).cycles, (Cycles{{8, 0.25}}));
}

TEST(ChooseCycles, ProbesNoMoreThanItMayAndKeepsTheFirstOfEquals) {
  const auto falls = [](const Cycles& c) { return 100.0 - c[0].smoothing_steps; };
  for (const int most : {0, 1, 2, 3}) {
    const auto tried = choose({open_level()}, most, falls);
    EXPECT_EQ(tried.size(), static_cast<std::size_t>(most) + 1);
    for (const CycleProbe& one : tried)
      EXPECT_LE(best_of(tried).result.seconds_per_e(), one.result.seconds_per_e());
  }
  EXPECT_EQ(best_of(choose({open_level()}, 100, [](const Cycles&) { return 1.0; })).cycles,
            (Cycles{{4, 0.25}}));
  // What reduces nothing is never chosen.
  const auto tried = choose({open_level()}, 100,
                            [](const Cycles& c) { return c[0].smoothing_steps == 4 ? 1.0 : std::nan(""); });
  EXPECT_EQ(best_of(tried).cycles[0].smoothing_steps, 4);
}

struct Problem {
  test::WilsonSystem system;
  MultigridSettings settings;
  std::unique_ptr<Multigrid> multigrid;
  Field vectors;  // near-null ones, of the setup

  Problem(const ProcessGrid& grid, const Extents& extents, Location where, bool open, double solves,
          std::uint32_t forced = 0)
      : system(grid, extents, test::random_sources(extents, 1), -0.75, 0.3, where, forced) {
    settings.levels.assign(2, open ? open_level() : LevelSettings());
    settings.levels[0].block = {2, 2, 2, 4};
    settings.levels[1].block = {2, 1, 1, 1};
    for (LevelSettings& level : settings.levels) level.vectors = 4;
    settings.storage = settings.link_storage = Precision::single_precision;
    settings.least_rounds = settings.most_rounds = 1;
    settings.solves = solves;
    set_up({});
  }
  void set_up(SetupStart start) {
    multigrid = std::make_unique<Multigrid>(
        std::make_unique<test::WilsonLevel>(system, make_host_transport(system.grid, system.queue.location()),
                                            system.hopping[0]),
        settings, std::move(start), [&](const SetupReport&, const Field& v) {
          vectors = Field(v.geometry_ptr(), v.spec());
          copy(vectors, v);
        });
  }
  const SetupReport& report() const { return multigrid->report(); }
};

// By the formula itself.
double modelled(const ProbeResult& r) {
  return std::max(r.iteration.bytes / 4e12, r.iteration.flops / 2e13) / -std::log(r.reduction);
}

// Candidates, rates and work are equal wherever the setup is made, and the least of them is used from then
// on.
TEST(ChosenCycles, AreTheLeastOfThoseProbedOnEveryGrid) {
  constexpr Extents extents{8, 4, 4, 8};
  const auto choice = [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    Problem p(grid, extents, where, true, 240, geometry->decomposition().forced);
    const SetupReport& report = p.report();
    EXPECT_GT(report.choice.size(), 3u);
    EXPECT_LE(report.choice.size(), 6u);
    std::vector<double> numbers{report.kept.reduction, report.reductions.back()};
    std::size_t least = 0;
    for (std::size_t i = 0; i < report.choice.size(); ++i) {
      const auto& [cycles, result] = report.choice[i];
      if (modelled(result) < modelled(report.choice[least].result)) least = i;
      for (const CycleParameters& cycle : cycles)
        numbers.insert(numbers.end(), {double(cycle.smoothing_steps), cycle.coarse_tolerance});
      numbers.insert(numbers.end(), {result.reduction, result.iteration.bytes, result.iteration.flops});
    }
    EXPECT_EQ(report.cycles, report.choice[least].cycles);
    EXPECT_EQ(p.multigrid->hierarchy().cycles(), report.cycles);
    return numbers;
  };
  const auto same = test::same_as_alone(extents, choice);
  int visited = 0;
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
        const Extents& local = geometry->local();
        if (geometry->decomposition().forced == 0 && local[3] % 4 == 0 && visited++ % 4 == 0)
          same(grid, geometry, where);
      });
  EXPECT_GT(visited, 0);
}

// Vectors and what was chosen for them lead to the same bits without a probe; what settings say is kept; what
// does not pay is not probed.
TEST(ChosenCycles, AreTakenOverAndYieldToSettings) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  constexpr Extents extents{8, 4, 4, 8};
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  Problem p(self, extents, Location::host, true, 1000);
  const SetupReport chosen = p.report();
  EXPECT_FALSE(chosen.cycles == Cycles(2, {4, 0.25}));
  const auto again = [&](Cycles cycles) {
    SetupStart start;
    start.vectors = Field(p.vectors.geometry_ptr(), p.vectors.spec());
    copy(start.vectors, p.vectors);
    start.finished = true;
    start.reductions = chosen.reductions;
    start.cycles = std::move(cycles);
    return start;
  };
  SetupStart start = again(chosen.cycles);
  p.set_up(std::move(start));
  EXPECT_EQ(p.report().cycles, chosen.cycles);
  EXPECT_EQ(p.report().kept.reduction, chosen.kept.reduction);
  EXPECT_EQ(p.report().reductions, chosen.reductions);
  EXPECT_TRUE(p.report().choice.empty());

  p.settings.levels[0].chooses_steps = p.settings.levels[1].chooses_tolerance = false;
  p.settings.levels[0].smoothing_steps = 5;
  start = again({{8, 0.1}, {6, 0.5}});
  p.set_up(std::move(start));
  EXPECT_EQ(p.report().cycles, (Cycles{{5, 0.1}, {6, 0.25}}));

  for (const bool open : {false, true}) {
    const Problem other(self, extents, Location::host, open, open ? 12 : 1000);
    EXPECT_EQ(other.report().cycles, Cycles(2, {4, 0.25}));
    EXPECT_TRUE(other.report().choice.empty());
  }
}

}  // namespace
}  // namespace plaq

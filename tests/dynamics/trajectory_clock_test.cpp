// Seconds of the parts of a trajectory: each moment belongs to one part.
#include "dynamics/trajectory_clock.hpp"

#include <chrono>
#include <thread>

#include "core/system/timer.hpp"
#include "io/state/state_archive.hpp"
#include "tests/dynamics/chain.hpp"

namespace plaq::trajectory_clock_test {
namespace {

using Part = TrajectoryPart;
constexpr double moment = 0.02;

// Lets a moment pass, and returns how long it was.
double pass() {
  const Timer timer;
  std::this_thread::sleep_for(std::chrono::duration<double>(moment));
  return timer.seconds();
}

void expect_seconds(double found, double passed, const char* what) {
  EXPECT_NEAR(found, passed, 0.8 * moment) << what;
}

TEST(TrajectoryClock, TimeOfSeveralPartsBelongsToTheLastOfThem) {
  TrajectoryClock clock(Queue(Location::host), 2);
  double force = 0, solves = 0, setups = 0, links = 0, back = 0;
  const double other = pass();
  {
    const TimedPart in_force(Part::force, 1);
    force += pass();
    {
      const TimedPart in_solves(Part::solves);
      solves += pass();
      {
        const TimedPart in_setup(Part::setups);
        const TimedPart inner(Part::solves);
        setups += pass();
      }
      solves += pass();
    }
    const TimedPart in_links(Part::links);
    for (int k = 0; k < 3; ++k) links += pass();
  }
  {
    const TimedPart on_the_way_back(Part::reversibility);
    const TimedPart in_setup(Part::setups);
    back += pass();
    const TimedPart in_force(Part::force, 0);
    back += pass();
  }
  const TrajectorySeconds seconds = clock.take();
  expect_seconds(seconds.other, other, "other");
  ASSERT_EQ(seconds.forces.size(), 2u);
  EXPECT_EQ(seconds.forces[0], 0);
  expect_seconds(seconds.forces[1], force, "force");
  EXPECT_EQ(seconds.solves[0], 0);
  expect_seconds(seconds.solves[1], solves, "solves");
  expect_seconds(seconds.setups, setups, "setups");
  expect_seconds(seconds.links, links, "links");
  expect_seconds(seconds.reversibility, back, "reversibility");
  EXPECT_EQ(seconds.checkpoint + seconds.metropolis, 0);
  expect_seconds(seconds.all(), other + force + solves + setups + links + back, "all");
  EXPECT_LT(clock.take().all(), moment) << "what was taken is counted once";
}

TEST(TrajectoryClock, SolvesOutsideOfForcesAreOther) {
  TrajectoryClock clock(Queue(Location::host), 1);
  double solves = 0;
  {
    const TimedPart part(Part::solves);
    solves = pass();
  }
  const TrajectorySeconds seconds = clock.take();
  expect_seconds(seconds.other, solves, "other");
  EXPECT_EQ(seconds.solves[0], 0);
}

TEST(TrajectoryClock, AnInnerClockLeavesTheOuterOneAlone) {
  TrajectoryClock outer(Queue(Location::host), 1);
  const TimedPart metropolis(Part::metropolis);
  double inside = 0;
  {
    TrajectoryClock inner(Queue(Location::host), 1);
    const TimedPart links(Part::links);
    inside = pass();
    expect_seconds(inner.take().links, inside, "links");
  }
  const double outside = pass();
  const TrajectorySeconds seconds = outer.take();
  expect_seconds(seconds.metropolis, inside + outside, "metropolis");
  EXPECT_EQ(seconds.links, 0);
}

TEST(TrajectoryClock, TakesAWholeTrajectory) {
  for (const Location location : test::locations()) {
    const test::LatticeAlone alone({4, 4, 4, 4}, location);
    const Timer timer;
    const TrajectoryReport report = test::ladder_trajectory(
        alone, alone.weak_links(0.3), {.mass = 0, .clover = {1.1, 1.1}}, {.force_tolerance = 1e-8});
    const double all = timer.seconds();
    const TrajectorySeconds& seconds = report.seconds;
    ASSERT_EQ(seconds.forces.size(), 5u);
    for (std::size_t term = 0; term < 5; ++term) {
      EXPECT_GT(seconds.forces[term], 0) << term;
      EXPECT_EQ(seconds.solves[term] > 0, term < 3) << term;  // ladder; determinant and gauge
    }
    EXPECT_GT(seconds.links, 0);
    EXPECT_GT(seconds.metropolis, 0);
    EXPECT_GT(seconds.reversibility, seconds.solves[0]);
    EXPECT_EQ(seconds.setups, 0);
    EXPECT_EQ(seconds.checkpoint, 0);
    EXPECT_LE(seconds.all(), all);
    EXPECT_GT(seconds.all(), 0.5 * all);
    const auto named = named_seconds(seconds, {"heavy", "ratio", "light", "determinant", "gauge"});
    double sum = 0;
    for (const auto& [name, value] : named) sum += value;
    EXPECT_NEAR(sum, seconds.all(), 1e-9);
    EXPECT_EQ(named.size(), 16u);
    EXPECT_EQ(named.back().first, "solves_gauge");
  }
}

TEST(TrajectoryClock, SecondsGoIntoAStateAndComeBack) {
  TrajectorySeconds seconds{1, 2, 3, 4, 5, 6, {7, 8}, {9, 10}};
  StateArchive keeps;
  visit(keeps, seconds);
  const State state = keeps.take();
  StateArchive gives(state);
  TrajectorySeconds back;
  visit(gives, back);
  gives.expect_end();
  EXPECT_EQ(back.all(), 55);
  back += seconds;
  EXPECT_EQ(back.solves, (std::vector<double>{18, 20}));
  EXPECT_EQ(back.checkpoint, 10);
}

}  // namespace
}  // namespace plaq::trajectory_clock_test

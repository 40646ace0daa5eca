// The profiler: steps add up, medians are medians, events are used again.
#include "core/system/profiler.hpp"

#include "tests/support/test.hpp"

namespace plaq {
namespace {

constexpr double pause_seconds = 2e-3;

void pause() { std::this_thread::sleep_for(std::chrono::duration<double>(pause_seconds)); }

TEST(RunningMedian, IsTheMedian) {
  EXPECT_EQ(RunningMedian().median(), 0);
  RunningMedian few;
  for (const double value : {5.0, 1.0, 9.0}) few.add(value);
  EXPECT_EQ(few.median(), 5);
  // Very many, evenly spaced ones: 0, 1, ... in an order that no spacing follows.
  constexpr std::uint64_t count = 100003, step = 38119;  // primes
  RunningMedian many;
  for (std::uint64_t i = 0; i < count; ++i) many.add(static_cast<double>(i * step % count));
  EXPECT_NEAR(many.median(), count / 2.0, 0.02 * count);
}

TEST(Profiler, StepsAreThoseOfTheEvents) {
  const Queue queue(Location::host);
  Profiler profiler(Location::host);
  for (int i = 0; i < 3; ++i) {
    auto e = profiler.take();
    e->halo.begun.record(queue);
    pause();
    e->halo.packed.record(queue);
    e->interior_begun.record(queue);
    pause();
    pause();
    e->interior_done.record(queue);
    pause();
    e->halo.arrived.record(queue);
    e->boundary_begun.record(queue);
    pause();
    e->boundary_done.record(queue);
    profiler.keep("hop", std::move(e), {{"host", 100}, {"self", 50}});
  }
  auto alone = profiler.take();
  alone->exchanged = false;
  alone->interior_begun.record(queue);
  pause();
  alone->interior_done.record(queue);
  profiler.keep("other", std::move(alone), {});

  const auto& found = profiler.operators();
  ASSERT_EQ(found.size(), 2u);
  const auto& hop = found.at("hop");
  EXPECT_EQ(hop.applications, 3);
  EXPECT_EQ(hop.bytes.at("host"), 300);
  EXPECT_EQ(hop.bytes.at("self"), 150);
  const auto& s = hop.sum.seconds;
  EXPECT_GE(s[StepTimes::pack], 3 * pause_seconds);
  EXPECT_GE(s[StepTimes::interior], 6 * pause_seconds);
  EXPECT_GE(s[StepTimes::exposed], 3 * pause_seconds);
  EXPECT_GE(s[StepTimes::boundary], 3 * pause_seconds);
  EXPECT_GE(s[StepTimes::moving], 12 * pause_seconds);
  EXPECT_LE(s[StepTimes::moving] + s[StepTimes::boundary], s[StepTimes::total] * (1 + 1e-9));
  EXPECT_NEAR(s[StepTimes::pack] + s[StepTimes::interior] + s[StepTimes::exposed] + s[StepTimes::boundary],
              s[StepTimes::total], pause_seconds);
  EXPECT_GE(hop.each[StepTimes::interior].median(), 2 * pause_seconds);
  const auto& other = found.at("other");
  EXPECT_EQ(other.applications, 1);
  EXPECT_EQ(other.sum.seconds[StepTimes::total], other.sum.seconds[StepTimes::interior]);
  EXPECT_EQ(other.sum.seconds[StepTimes::exposed], 0);
  EXPECT_EQ(profiler.operator_seconds(), s[StepTimes::total] + other.sum.seconds[StepTimes::total]);
}

TEST(Profiler, EventsAreUsedAgain) {
  const Queue queue(Location::host);
  Profiler profiler(Location::host);
  auto first = profiler.take();
  const auto* where = first.get();
  first->exchanged = false;
  first->interior_begun.record(queue);
  first->interior_done.record(queue);
  profiler.keep("hop", std::move(first), {});
  const auto again = profiler.take();
  EXPECT_EQ(again.get(), where);
  EXPECT_TRUE(again->exchanged);
  EXPECT_NE(profiler.take().get(), where);
}

TEST(Profiler, BelongsToOneLocation) {
  const auto profiler = std::make_shared<Profiler>(Location::device);
  EXPECT_EQ(profiler_of(Queue(Location::host, nullptr, profiler)), nullptr);
  EXPECT_EQ(profiler_of(Queue(Location::host)), nullptr);
  const auto here = std::make_shared<Profiler>(Location::host);
  EXPECT_EQ(profiler_of(Queue(Location::host, nullptr, here)), here.get());
}

}  // namespace
}  // namespace plaq

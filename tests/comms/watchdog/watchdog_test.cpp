// A wait is reported after its time, not before, and the end comes once.
#include "comms/watchdog/watchdog.hpp"

#include "comms/watchdog/device_waits.hpp"
#include "core/system/timer.hpp"
#include "core/system/waiting.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

TEST(Waits, AreKnownWithTheirRanges) {
  EXPECT_EQ(ranges_now(), "");
  EXPECT_FALSE(wait_of_at_least(0));
  {
    const ScopedRange solve("solve");
    const Waiting outer([] { return std::string("a sum"); });
    {
      const ScopedRange exchange("exchange");
      const Waiting inner([] { return std::string("a face"); });
      const auto wait = wait_of_at_least(0);
      ASSERT_TRUE(wait);
      EXPECT_EQ(wait->text, "a face");
      EXPECT_EQ(wait->ranges, "solve, exchange");
      EXPECT_GE(wait->seconds, 0);
      EXPECT_FALSE(wait_of_at_least(100));
    }
    EXPECT_EQ(wait_of_at_least(0)->text, "a sum");
    EXPECT_EQ(wait_of_at_least(0)->ranges, "solve");
  }
  EXPECT_FALSE(wait_of_at_least(0));
  EXPECT_EQ(ranges_now(), "");
}

TEST(Waits, DeepRangesAreCounted) {
  std::vector<std::unique_ptr<ScopedRange>> many;
  for (int i = 0; i < 40; ++i) many.push_back(std::make_unique<ScopedRange>("r"));
  EXPECT_EQ(ranges_now().size(), 16u + 2 * 15);
  while (!many.empty()) many.pop_back();
  EXPECT_EQ(ranges_now(), "");
}

TEST(Watchdogs, BiteAfterTheirTimeOnce) {
  std::atomic<int> bites = 0;
  const Watchdog dog(0.2, [&] { ++bites; });
  {
    Waiting wait([] { return std::string("something that comes at last"); });
    for (int i = 0; i < 8; ++i) {  // 0.8 s, but something comes every 0.1 s
      sleep(0.1);
      wait.progress();
    }
  }
  EXPECT_EQ(bites, 0);
  const Waiting wait([] { return std::string("nothing"); });
  for (int i = 0; i < 100 && bites == 0; ++i) sleep(0.1);
  EXPECT_EQ(bites, 1);
  sleep(1.5);
  EXPECT_EQ(bites, 1);
}

TEST(DeviceWaits, AreThoseThatAreThere) {
  EXPECT_EQ(device_waits(5), "");
  std::atomic<bool> arrived = false;
  const DeviceWait halo([&] { return std::string(arrived ? "" : "a face"); });
  {
    const DeviceWait halo([] { return std::string("a slice"); });
    EXPECT_EQ(device_waits(5), "a face; a slice");
    arrived = true;
    EXPECT_EQ(device_waits(5), "a slice");
  }
  EXPECT_EQ(device_waits(5), "");
}

// Whatever keeps or befalls who is asked.
TEST(DeviceWaits, AreAnsweredInTime) {
  {
    std::atomic<bool> ends = false;
    const DeviceWait stuck([&] {
      while (!ends) sleep(0.01);
      return std::string("too late");
    });
    EXPECT_EQ(device_waits(0.1), no_answer);
    ends = true;
  }
  const DeviceWait broken([]() -> std::string { throw std::runtime_error("no driver"); });
  EXPECT_EQ(device_waits(5), "no driver");
}

TEST(Watchdogs, SayWhatTheDeviceWaitsFor) {
  std::atomic<int> bites = 0;
  testing::internal::CaptureStderr();
  {
    const Watchdog dog(0.1, [&] { ++bites; });
    const DeviceWait idle([] { return std::string(); });
    const DeviceWait face([] { return std::string("GPU waits for the face from t+ (rank 3)"); });
    const ScopedRange solve("solve");
    const Waiting wait([] { return std::string("the sums of rank 0"); });
    for (int i = 0; i < 100 && bites == 0; ++i) sleep(0.1);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(bites, 1);
  test::expect_parts(said, {": the sums of rank 0 (in solve); GPU waits for the face from t+ (rank 3)\n"});
}

TEST(Watchdogs, StayQuietWhenAskedTo) {
  std::atomic<int> bites = 0;
  const Watchdog dog(0, [&] { ++bites; });
  const Waiting wait([] { return std::string("nothing"); });
  sleep(0.5);
  EXPECT_EQ(bites, 0);
}

}  // namespace
}  // namespace plaq

// Signals in the middle of a source, with a clock that is told the time.
#include "quarks/solve/solve_stop.hpp"

#include <signal.h>

#include "tests/jobs/schema/job_file_helpers.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {
namespace {

using jobs::test::expect_holds;

constexpr double step = 0.25;  // seconds an iteration

struct Source {
  double now = 100;
  int iterations = 0;  // in all
  SolveStop stop{MPI_COMM_WORLD, [this] { return now; }};

  explicit Source(int of) : iterations(of) {}
  // Iteration i of them; the message of the error that ended it, empty: it goes on.
  std::string at(int i) {
    now += step;
    try {
      stop.after_iteration(static_cast<double>(i) / iterations);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::stopped);
      return error.what();
    }
    return "";
  }
};

void raise_on_the_last_rank() {
  if (world_rank() == world_size() - 1) ::raise(SIGTERM);
}

TEST(SolveStops, ALongSourceEndsSoon) {
  Source source(4000);
  for (int i = 1; i <= 40; ++i) ASSERT_EQ(source.at(i), "");
  raise_on_the_last_rank();
  std::string message;
  int more = 0;
  for (int i = 41; i <= 60 && message.empty(); ++i, ++more) message = source.at(i);
  EXPECT_LE(more, 4);  // a second
  expect_holds(message, "stopped by SIGTERM: this source would have taken about 16 min");
  expect_holds(message, "begun again");
}

// After a few milliseconds a short source looks like a long one.
TEST(SolveStops, TheFirstSecondTellsNothing) {
  Source source(1000000);
  raise_on_the_last_rank();
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(source.at(i), "") << i;
  std::string message;
  for (int i = 4; i <= 10 && message.empty(); ++i) message = source.at(i);
  expect_holds(message, "stopped by SIGTERM");
}

TEST(SolveStops, ASourceThatIsNearlyDoneIsFinished) {
  Source source(100);
  for (int i = 1; i <= 60; ++i) ASSERT_EQ(source.at(i), "");
  raise_on_the_last_rank();
  testing::internal::CaptureStderr();
  for (int i = 61; i <= 100; ++i) EXPECT_EQ(source.at(i), "") << i;
  const std::string said = testing::internal::GetCapturedStderr();
  if (world_rank() == 0) {
    expect_holds(said, "SIGTERM: this source is finished first, which takes about");
    EXPECT_EQ(said.find("finished first"), said.rfind("finished first")) << said;
  }
}

// Where the rest takes longer than it looked.
TEST(SolveStops, PatienceEnds) {
  Source source(100);
  for (int i = 1; i <= 60; ++i) ASSERT_EQ(source.at(i), "");
  raise_on_the_last_rank();
  std::string message;
  double waited = 0;
  for (; waited < 100 && message.empty(); waited += step) message = source.at(61);
  expect_holds(message, "stopped by SIGTERM");
  EXPECT_GT(waited, SolveStop::patience);
  EXPECT_LT(waited, 2 * SolveStop::patience + 2);
}

// Slow iterations or fast ones: ranks ask each other neither rarely nor all the time.
TEST(SolveStops, WithoutASignalNothingHappens) {
  Source source(100000);
  for (int i = 1; i <= 2000; ++i) ASSERT_EQ(source.at(i), "");
}

}  // namespace
}  // namespace plaq::test

// Progress with a clock that the test turns.
#include "core/system/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace plaq::jobs::test {
namespace {

class ProgressTest : public testing::Test {
 protected:
  Progress::Settings settings(bool terminal) {
    return {&stream_, terminal, [this] { return now_; }};
  }
  std::string taken() {
    const std::string text = stream_.str();
    stream_.str("");
    return text;
  }
  std::ostringstream stream_;
  double now_ = 1000;
};

TEST_F(ProgressTest, LinesAtTenthsOfTheWork) {
  Progress progress("sweeps", 100, settings(false));
  std::string all;
  for (int i = 1; i <= 100; ++i) {
    now_ += 1;
    progress.advance();
    all += taken();
  }
  progress.finish("plaquette 0.5937");
  all += taken();
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 10);
  EXPECT_NE(all.find("sweeps: 10%, 1 min 30 s left\n"), std::string::npos) << all;
  EXPECT_NE(all.find("sweeps: 90%, 10 s left\n"), std::string::npos) << all;
  EXPECT_NE(all.find("sweeps: done in 1 min 40 s, plaquette 0.5937\n"), std::string::npos) << all;
  EXPECT_EQ(all.find('\r'), std::string::npos);
}

TEST_F(ProgressTest, SlowWorkSpeaksEveryThirtySeconds) {
  Progress progress("solve", 10000, settings(false));
  for (int i = 0; i < 29; ++i) {
    now_ += 1;
    progress.advance();
  }
  EXPECT_EQ(taken(), "");
  now_ += 1;
  progress.advance(1, "residual 1e-3");
  EXPECT_EQ(taken(), "solve: 0%, 2 h 46 min left, residual 1e-3\n");
}

TEST_F(ProgressTest, FastWorkIsQuiet) {
  Progress progress("sweeps", 100, settings(false));
  for (int i = 0; i < 100; ++i) {
    now_ += 0.001;
    progress.advance();
  }
  EXPECT_EQ(taken(), "");
  progress.finish();
  progress.finish();
  EXPECT_EQ(taken(), "sweeps: done in 0.1 s\n");
}

TEST_F(ProgressTest, BarOnATerminal) {
  Progress progress("sweeps", 4, settings(true));
  now_ += 1;
  progress.advance(1, "plaquette 0.6");
  EXPECT_EQ(taken(), "\r\033[Ksweeps [#######.......................]  25%, 3.0 s left, plaquette 0.6");
  now_ += 0.05;
  progress.advance();  // too soon to draw again
  EXPECT_EQ(taken(), "");
  progress.clear();
  EXPECT_EQ(taken(), "\r\033[K");
  now_ += 0.95;
  progress.advance();
  EXPECT_EQ(taken(), "\r\033[Ksweeps [######################........]  75%, 0.7 s left");
  progress.finish();
  EXPECT_EQ(taken(), "\r\033[Ksweeps: done in 2.0 s\n");
}

TEST_F(ProgressTest, AbandonedBarEndsItsLine) {
  {
    Progress progress("sweeps", 4, settings(true));
    progress.advance();
    taken();
  }
  EXPECT_EQ(taken(), "\n");
}

TEST_F(ProgressTest, NeverGoesBackNorBeyondTheEnd) {
  Progress progress("solve", 10, settings(false));
  now_ += 40;
  progress.advance_to(5);
  EXPECT_EQ(taken(), "solve: 50%, 40 s left\n");
  now_ += 40;
  progress.advance_to(2);
  EXPECT_EQ(taken(), "solve: 50%, 1 min 20 s left\n");
  progress.advance_to(20);
  EXPECT_EQ(taken(), "");
}

TEST_F(ProgressTest, NothingFromOtherRanks) {
  EXPECT_EQ(Progress::Settings::standard(1).stream, nullptr);
  Progress progress("sweeps", 1, Progress::Settings::standard(1));
  progress.advance();
  progress.finish();
}

TEST(Duration, InWords) {
  EXPECT_EQ(duration_text(0.44), "0.4 s");
  EXPECT_EQ(duration_text(12.4), "12 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(3720), "1 h 02 min");
  EXPECT_EQ(duration_text(3599.7), "1 h 00 min");
  EXPECT_EQ(duration_text(51 * 3600.0), "2 d 03 h");
  EXPECT_EQ(duration_text(-1), "0.0 s");
}

}  // namespace
}  // namespace plaq::jobs::test

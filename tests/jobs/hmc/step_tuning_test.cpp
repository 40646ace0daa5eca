// Steps of an hmc job that find the acceptance that was asked for.
#include "jobs/hmc/step_tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace plaq::jobs {
namespace {

TEST(StepTuning, MeanDeltaHGivesTheAcceptance) {
  // P = erfc(sqrt(h)/2), with values of tables of erfc.
  EXPECT_NEAR(mean_delta_h(0.85), 0.0715, 5e-5);
  EXPECT_NEAR(mean_delta_h(0.90), 0.0316, 5e-5);
  EXPECT_NEAR(mean_delta_h(0.98), 0.00126, 5e-6);
  EXPECT_GT(mean_delta_h(1e-6), 20);
}

// dH is normal with the mean h = c/n^(2 order) and the variance 2 h.
TEST(StepTuning, FindsTheStepsOfAModel) {
  for (const int order : {2, 4})
    for (const int first : {1, 4, 60}) {
      const double wanted = mean_delta_h(0.85), best = 12.3, c = wanted * std::pow(best, 2.0 * order);
      StepTuning tuning(0.85, order, first);
      std::mt19937 generator(7);
      double last = 0;
      for (int k = 0; k < 400; ++k) {
        const double h = c / std::pow(tuning.steps(), 2.0 * order);
        tuning.take(h + std::sqrt(2 * h) * std::normal_distribution<>()(generator));
        if (k >= 200) last += tuning.steps() / 200.0;
      }
      EXPECT_NEAR(last, best, 0.15 * best) << order << " from " << first;
    }
}

TEST(StepTuning, DoublesTheStepsOfAnUnstableTrajectoryAtOnce) {
  StepTuning tuning(0.9, 2, 3);
  EXPECT_TRUE(tuning.take(11));
  EXPECT_EQ(tuning.steps(), 6);
  EXPECT_TRUE(tuning.take(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(tuning.take(-1e7));
  EXPECT_EQ(tuning.steps(), 24);
  for (int k = 0; k < 9; ++k) EXPECT_FALSE(tuning.take(1e-9));
  EXPECT_TRUE(tuning.take(1e-9));
  EXPECT_EQ(tuning.steps(), 12);  // half at most
  StepTuning least(0.9, 2, 1);
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(least.take(0));
}

}  // namespace
}  // namespace plaq::jobs

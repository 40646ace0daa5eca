// Steps of an hmc job that find the acceptance that was asked for.
#include "jobs/hmc/step_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
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

// Trajectories whose time scales contribute independent normal numbers of this root mean square at step 1.
class Chain {
 public:
  Chain(std::vector<double> sizes, std::vector<double> costs)
      : sizes_(std::move(sizes)), costs_(std::move(costs)) {}

  TrajectoryCost trajectory(const std::vector<TimeScale>& scales) {
    TrajectoryCost result;
    double step = 1;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      step /= scales[k].steps;
      const int order = order_of(scales[k].integrator);
      const double delta_h = sizes_[k] * std::pow(step, order) * std::normal_distribution<>()(generator_);
      result.delta_h += delta_h;
      result.predicted.push_back(order == 2 ? delta_h : 0);
      result.forces.push_back(costs_[k] / step);
    }
    return result;
  }
  // <dH^2>/2 and the cost.
  double error(const std::vector<TimeScale>& scales) const {
    double sum = 0, step = 1;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      step /= scales[k].steps;
      sum += std::pow(sizes_[k] * std::pow(step, order_of(scales[k].integrator)), 2);
    }
    return sum / 2;
  }
  double cost(const std::vector<TimeScale>& scales) const {
    double sum = 0, steps = 1;
    for (std::size_t k = 0; k < scales.size(); ++k) sum += costs_[k] * (steps *= scales[k].steps);
    return sum;
  }

 private:
  std::vector<double> sizes_, costs_;
  std::mt19937 generator_{7};
};

std::vector<TimeScale> tuned(Chain& chain, const std::vector<TimeScale>& first, double acceptance) {
  StepTuning tuning(acceptance, first);
  for (int k = 0; k < 400; ++k) tuning.take(chain.trajectory(tuning.scales()));
  return tuning.scales();
}

TEST(StepTuning, FindsTheStepsOfOneTimeScale) {
  for (const Integrator integrator : {Integrator::leapfrog, Integrator::omelyan4})
    for (const int first : {1, 4, 60}) {
      const double h = mean_delta_h(0.85), best = 12.3;
      Chain chain({std::sqrt(2 * h) * std::pow(best, order_of(integrator))}, {1});
      StepTuning tuning(0.85, {{integrator, first}});
      double last = 0;
      for (int k = 0; k < 400; ++k) {
        tuning.take(chain.trajectory(tuning.scales()));
        if (k >= 200) last += tuning.scales()[0].steps / 200.0;
      }
      EXPECT_NEAR(last, best, 0.15 * best) << name_of(integrator) << " from " << first;
    }
}

// The least cost of all steps with this acceptance.
double least_cost(const Chain& chain, std::vector<TimeScale> scales, double wanted) {
  double least = std::numeric_limits<double>::infinity();
  const std::function<void(std::size_t)> search = [&](std::size_t k) {
    if (k == scales.size()) {
      if (chain.error(scales) <= wanted) least = std::min(least, chain.cost(scales));
      return;
    }
    for (scales[k].steps = 1; scales[k].steps <= (k == 0 ? 100 : 12); ++scales[k].steps) search(k + 1);
  };
  search(0);
  return least;
}

TEST(StepTuning, FindsTheCheapestStepsOfSeveralTimeScales) {
  constexpr Integrator second = Integrator::omelyan2, fourth = Integrator::omelyan4;
  const struct {
    std::vector<double> sizes, costs;
    std::vector<TimeScale> first;
  } cases[] = {
      {{5, 500}, {100, 1}, {{second, 40}, {second, 1}}},  // slow forces are small and dear
      {{200, 200}, {20, 10}, {{second, 3}, {second, 9}}},
      {{20, 200, 3000}, {300, 30, 1}, {{second, 5}, {second, 5}, {second, 1}}},
      {{30, 8000}, {100, 2}, {{second, 4}, {fourth, 2}}},
      {{0.1, 30, 3},
       {500, 100, 1},
       {{second, 2}, {second, 2}, {second, 2}}},  // one step of the slowest is enough
  };
  for (const auto& [sizes, costs, first] : cases) {
    Chain chain(sizes, costs);
    const double wanted = mean_delta_h(0.8);
    const auto found = tuned(chain, first, 0.8);
    std::string steps;
    for (const TimeScale& scale : found) steps += std::to_string(scale.steps) + " ";
    // Ten trajectories know <dH^2> within 45%: a sixth of the cost.
    EXPECT_LT(chain.cost(found), 1.3 * least_cost(chain, found, wanted)) << steps;
    EXPECT_LT(chain.error(found), 3 * wanted) << steps;
  }
}

// Inner scales of fourth order whose errors are not told apart keep their steps.
TEST(StepTuning, ScalesAllStepsOfFourthOrder) {
  Chain chain({2000, 2000}, {10, 1});
  const auto found = tuned(chain, {{Integrator::omelyan4, 1}, {Integrator::force_gradient, 3}}, 0.8);
  EXPECT_EQ(found[1].steps, 3);
  EXPECT_LT(chain.error(found), 3 * mean_delta_h(0.8));
  EXPECT_GT(chain.error(found), 0.2 * mean_delta_h(0.8));
}

TEST(StepTuning, HalvesTheStepsOfAnUnstableTrajectoryAtOnce) {
  const auto of = [](double delta_h) { return TrajectoryCost{delta_h, {delta_h, 0}, {1, 1}}; };
  StepTuning tuning(0.9, {{Integrator::omelyan2, 3}, {Integrator::omelyan2, 2}});
  const auto steps = [&] { return tuning.scales()[0].steps; };
  EXPECT_TRUE(tuning.take(of(11)));
  EXPECT_EQ(steps(), 6);
  EXPECT_TRUE(tuning.take(of(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(tuning.take(of(-1e7)));
  EXPECT_EQ(steps(), 24);
  EXPECT_EQ(tuning.scales()[1].steps, 2);
  for (int k = 0; k < 9; ++k) EXPECT_FALSE(tuning.take(of(1e-9)));
  EXPECT_TRUE(tuning.take(of(1e-9)));
  EXPECT_EQ(steps(), 12);  // half at most
  StepTuning least(0.9, {{Integrator::leapfrog, 1}});
  for (int k = 0; k < 20; ++k) EXPECT_FALSE(least.take({0, {0}, {1}}));
}

}  // namespace
}  // namespace plaq::jobs

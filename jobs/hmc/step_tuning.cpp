#include "jobs/hmc/step_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plaq::jobs {
namespace {

constexpr std::size_t trajectories_of_choice = 10;
constexpr double large_delta_h = 10, most_steps = 1e6;

}  // namespace

double mean_delta_h(double acceptance) {
  double low = 0, high = 200;  // erfc(sqrt(200)/2) is 1e-23
  for (int k = 0; k < 200; ++k) {
    const double middle = low + (high - low) / 2;
    (std::erfc(std::sqrt(middle) / 2) > acceptance ? low : high) = middle;
  }
  return low;
}

StepTuning::StepTuning(double acceptance, int order, int steps)
    : wanted_(mean_delta_h(acceptance)), order_(order), steps_(steps) {}

bool StepTuning::take(double delta_h) {
  const int before = steps_;
  if (!(std::abs(delta_h) <= large_delta_h)) {
    scale(2);
  } else {
    squares_.push_back(delta_h * delta_h);
    if (squares_.size() < trajectories_of_choice) return false;
    const double mean = std::accumulate(squares_.begin(), squares_.end(), 0.0) / trajectories_of_choice;
    scale(std::clamp(std::pow(mean / 2 / wanted_, 1 / (2.0 * order_)), 0.5, 2.0));
  }
  squares_.clear();
  return steps_ != before;
}

void StepTuning::scale(double factor) {
  steps_ = static_cast<int>(std::clamp(std::ceil(steps_ * factor - 1e-9), 1.0, most_steps));
}

}  // namespace plaq::jobs

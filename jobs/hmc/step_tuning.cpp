#include "jobs/hmc/step_tuning.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/integrator/integration_error.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t trajectories_of_choice = 10;
constexpr double large_delta_h = 10, largest_change = 2;
constexpr int most_steps = 1'000'000;

int limited(double steps) { return static_cast<int>(std::clamp(steps, 1.0, double(most_steps))); }

// A contribution to dH: its values on the trajectories, and how it follows the step of a time scale.
struct Contribution {
  std::size_t scale;
  int power;  // of the step
  std::vector<double> values = {};

  double mean_square() const {
    double sum = 0;
    for (const double value : values) sum += value * value;
    return sum / static_cast<double>(values.size());
  }
};

// dH of trajectories as a function of the steps, measured with `scales`.
class Model {
 public:
  Model(const std::vector<TimeScale>& scales, const std::vector<TrajectoryCost>& trajectories)
      : scales_(scales), costs_(scales.size()) {
    const auto fourth = std::find_if(scales.begin(), scales.end(),
                                     [](const TimeScale& scale) { return order_of(scale.integrator) == 4; });
    Contribution rest{fourth == scales.end() ? 0 : static_cast<std::size_t>(fourth - scales.begin()), 4};
    for (std::size_t k = 0; k < scales.size(); ++k)
      if (order_of(scales[k].integrator) == 2) parts_.push_back({k, 2});
    for (const TrajectoryCost& trajectory : trajectories) {
      double unexplained = trajectory.delta_h;
      for (Contribution& part : parts_) {
        part.values.push_back(trajectory.predicted.at(part.scale));
        unexplained -= part.values.back();
      }
      rest.values.push_back(unexplained);
      for (std::size_t k = 0; k < costs_.size(); ++k) costs_[k] += trajectory.forces.at(k);
    }
    parts_.push_back(rest);
  }

  // <dH^2>/2 where each step e_k is e_k ratios[k].
  double error(const std::vector<double>& ratios) const {
    double sum = 0;
    const std::size_t count = parts_.front().values.size();
    for (std::size_t n = 0; n < count; ++n) {
      double delta_h = 0;
      for (const Contribution& part : parts_)
        delta_h += part.values[n] * std::pow(ratios[part.scale], part.power);
      sum += delta_h * delta_h;
    }
    return sum / (2 * static_cast<double>(count));
  }

  // Ratios of least cost, sum of costs/ratio, where contributions are independent of each other and the
  // multiplier of <dH^2>/2 is this. The steps of a scale without a contribution of its own follow the scale
  // before it.
  std::vector<double> best_ratios(double multiplier) const {
    std::vector<double> ratios(scales_.size(), 0);
    for (const Contribution& part : parts_) {
      const double square = part.mean_square(), power = part.power;
      if (ratios[part.scale] == 0 && square > 0)
        ratios[part.scale] =
            std::clamp(std::pow(costs_[part.scale] / (power * multiplier * square), 1 / (2 * power + 1)),
                       1 / largest_change, largest_change);
    }
    for (std::size_t k = 0; k < ratios.size(); ++k)
      if (ratios[k] == 0) ratios[k] = k > 0 ? ratios[k - 1] : 1;
    return ratios;
  }

  // Ratios e_k(steps) / e_k.
  std::vector<double> ratios_of(const std::vector<int>& steps) const {
    std::vector<double> ratios;
    double ratio = 1;
    for (std::size_t k = 0; k < scales_.size(); ++k)
      ratios.push_back(ratio *= static_cast<double>(scales_[k].steps) / steps[k]);
    return ratios;
  }

  // Steps near these ratios.
  std::vector<int> steps_near(const std::vector<double>& ratios) const {
    std::vector<int> steps;
    double drift = 1;  // ratio of the drift of the scale before
    for (std::size_t k = 0; k < scales_.size(); ++k) {
      steps.push_back(limited(std::round(scales_[k].steps * drift / ratios[k])));
      drift *= static_cast<double>(scales_[k].steps) / steps.back();
    }
    return steps;
  }

 private:
  const std::vector<TimeScale>& scales_;
  std::vector<Contribution> parts_;
  std::vector<double> costs_;  // of each time scale
};

}  // namespace

double mean_delta_h(double acceptance) {
  double low = 0, high = 200;  // erfc(sqrt(200)/2) is 1e-23
  for (int k = 0; k < 200; ++k) {
    const double middle = low + (high - low) / 2;
    (std::erfc(std::sqrt(middle) / 2) > acceptance ? low : high) = middle;
  }
  return low;
}

StepTuning::StepTuning(double acceptance, std::vector<TimeScale> scales)
    : wanted_(mean_delta_h(acceptance)), scales_(std::move(scales)) {}

std::vector<int> StepTuning::steps() const {
  std::vector<int> all;
  for (const TimeScale& scale : scales_) all.push_back(scale.steps);
  return all;
}

void StepTuning::set_steps(const std::vector<int>& steps) {
  for (std::size_t k = 0; k < scales_.size(); ++k) scales_[k].steps = steps[k];
}

bool StepTuning::take(const TrajectoryCost& trajectory) {
  const auto before = steps();
  if (!(std::abs(trajectory.delta_h) <= large_delta_h)) {
    scales_.front().steps = limited(largest_change * scales_.front().steps);
  } else {
    trajectories_.push_back(trajectory);
    if (trajectories_.size() < trajectories_of_choice) return false;
    choose();
  }
  trajectories_.clear();
  return steps() != before;
}

void StepTuning::choose() {
  const Model model(scales_, trajectories_);
  double low = 1e-30, high = 1e30;  // of the multiplier: a larger one makes smaller steps
  for (int k = 0; k < 200; ++k) {
    const double middle = std::sqrt(low * high);
    (model.error(model.best_ratios(middle)) > wanted_ ? low : high) = middle;
  }
  std::vector<int> chosen = model.steps_near(model.best_ratios(high));
  // The whole numbers miss the error: the slowest steps scale all.
  const int first = scales_.front().steps;
  const int least = limited(std::ceil(first / largest_change)), most = limited(first * largest_change);
  const auto is_good = [&] { return model.error(model.ratios_of(chosen)) <= wanted_; };
  while (chosen.front() < most && !is_good()) ++chosen.front();
  while (chosen.front() > least && is_good()) --chosen.front();
  if (!is_good() && chosen.front() < most) ++chosen.front();
  set_steps(chosen);
}

}  // namespace plaq::jobs

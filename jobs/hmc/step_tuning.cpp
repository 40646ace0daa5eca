#include "jobs/hmc/step_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/integrator/integration_error.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t trajectories_of_choice = 10;
constexpr double large_delta_h = 10, largest_change = 2;
constexpr int most_steps = 1'000'000, most_changes = 10000;

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
    Contribution rest{0, 4};
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
    rest.scale = scale_of_the_rest();
    parts_.push_back(rest);
  }

  // False if nothing is known to depend on the step of this scale.
  bool knows(std::size_t scale) const {
    return std::any_of(parts_.begin(), parts_.end(), [scale](const Contribution& part) {
      return part.scale == scale && part.mean_square() > 0;
    });
  }

  // The cost of these ratios.
  double cost(const std::vector<double>& ratios) const {
    double sum = 0;
    for (std::size_t k = 0; k < ratios.size(); ++k) sum += costs_[k] / ratios[k];
    return sum;
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
  // The first scale of fourth order; without any, that with the largest contribution.
  std::size_t scale_of_the_rest() const {
    for (std::size_t k = 0; k < scales_.size(); ++k)
      if (order_of(scales_[k].integrator) == 4) return k;
    return std::max_element(
               parts_.begin(), parts_.end(),
               [](const Contribution& a, const Contribution& b) { return a.mean_square() < b.mean_square(); })
        ->scale;
  }

  const std::vector<TimeScale>& scales_;
  std::vector<Contribution> parts_;
  std::vector<double> costs_;  // of each time scale
};

// Adds a step to the time scale where <dH^2> falls most for its cost. Returns false if there is none.
bool add_step(const Model& model, std::vector<int>& steps) {
  const auto now = model.ratios_of(steps);
  double best = 0;
  std::optional<std::size_t> where;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k] >= most_steps || !model.knows(k)) continue;
    auto more = steps;
    ++more[k];
    const auto ratios = model.ratios_of(more);
    if (ratios.front() < 1 / largest_change) continue;
    const double gain =
        std::log(model.error(now) / model.error(ratios)) / (model.cost(ratios) - model.cost(now));
    if (gain > best) {
      best = gain;
      where = k;
    }
  }
  if (where) ++steps[*where];
  return where.has_value();
}

// Takes a step away where it saves most, with an error of at most `wanted`. Returns false if there is none.
bool take_step_away(const Model& model, std::vector<int>& steps, double wanted) {
  double least = model.cost(model.ratios_of(steps));
  std::optional<std::size_t> where;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    auto fewer = steps;
    if (--fewer[k] < 1 || !model.knows(k)) continue;
    const auto ratios = model.ratios_of(fewer);
    const bool small =
        std::all_of(ratios.begin(), ratios.end(), [](double r) { return r <= largest_change; });
    if (!small || model.error(ratios) > wanted || !(model.cost(ratios) < least)) continue;
    least = model.cost(ratios);
    where = k;
  }
  if (where) --steps[*where];
  return where.has_value();
}

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
  // Whole numbers miss the error: steps are added where they pay most, and taken away where they save most.
  for (int k = 0; k < most_changes && model.error(model.ratios_of(chosen)) > wanted_; ++k)
    if (!add_step(model, chosen)) break;
  for (int k = 0; k < most_changes; ++k)
    if (!take_step_away(model, chosen, wanted_)) break;
  set_steps(chosen);
}

}  // namespace plaq::jobs

#include "dynamics/integrator/integrator.hpp"

#include <cmath>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// Kicks and drifts of a step in turn, the first a kick.
std::vector<double> fractions(const TimeScale& scale) {
  switch (scale.integrator) {
    case Integrator::leapfrog:
      return {0.5, 1, 0.5};
    case Integrator::omelyan2:
      return {scale.lambda, 0.5, 1 - 2 * scale.lambda, 0.5, scale.lambda};
    case Integrator::omelyan4: {
      constexpr double r1 = 0.08398315262876693, r2 = 0.2539785108410595, r3 = 0.6822365335719091,
                       r4 = -0.03230286765269967;
      return {r1, r2, r3, r4, 0.5 - r1 - r3, 1 - 2 * (r2 + r4), 0.5 - r1 - r3, r4, r3, r2, r1};
    }
    default:
      return {1.0 / 6, 0.5, 2.0 / 3, 0.5, 1.0 / 6};
  }
}

class UpdateList {
 public:
  explicit UpdateList(const std::vector<TimeScale>& levels) : levels_(levels) {}

  void advance(std::size_t level, double time) {
    if (level == levels_.size()) {
      updates_.push_back({MdUpdate::Kind::drift, 0, time});
      first_since_drift_ = updates_.size();
      return;
    }
    const TimeScale& scale = levels_[level];
    const double e = time / scale.steps;
    const auto parts = fractions(scale);
    for (int n = 0; n < scale.steps; ++n)
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (k % 2 == 1) {
          advance(level + 1, parts[k] * e);
        } else if (scale.integrator == Integrator::force_gradient && k == 2) {
          add({MdUpdate::Kind::gradient_kick, static_cast<int>(level), parts[k] * e, e * e / 24});
        } else {
          kick(static_cast<int>(level), parts[k] * e);
        }
      }
  }
  std::vector<MdUpdate> take() { return std::move(updates_); }

 private:
  void add(const MdUpdate& update) {
    if (updates_.size() >= 2147483647)
      throw Error(ErrorKind::job_file, "a trajectory of more than 2147483647 updates: take fewer steps");
    updates_.push_back(update);
  }
  void kick(int level, double step) {
    for (std::size_t k = first_since_drift_; k < updates_.size(); ++k)
      if (updates_[k].kind == MdUpdate::Kind::kick && updates_[k].level == level) {
        updates_[k].step += step;
        updates_[k].later += step;
        return;
      }
    add({MdUpdate::Kind::kick, level, step});
  }

  const std::vector<TimeScale>& levels_;
  std::vector<MdUpdate> updates_;
  std::size_t first_since_drift_ = 0;
};

}  // namespace

std::string name_of(Integrator integrator) {
  constexpr const char* names[] = {"leapfrog", "omelyan2", "omelyan4", "force_gradient"};
  return names[static_cast<int>(integrator)];
}

int order_of(Integrator integrator) {
  return integrator == Integrator::leapfrog || integrator == Integrator::omelyan2 ? 2 : 4;
}

std::vector<double> drift_fractions(const TimeScale& scale) {
  const auto parts = fractions(scale);
  std::vector<double> drifts;
  for (std::size_t k = 1; k < parts.size(); k += 2) drifts.push_back(parts[k]);
  return drifts;
}

std::vector<MdUpdate> md_updates(const std::vector<TimeScale>& levels, double length) {
  const auto fail = [](const std::string& text) { throw Error(ErrorKind::job_file, text); };
  if (levels.empty()) fail("molecular dynamics needs a time scale");
  if (!std::isfinite(length)) fail("the length of a trajectory is not a finite number");
  for (const TimeScale& scale : levels) {
    if (scale.steps < 1)
      fail("steps of a time scale: " + std::to_string(scale.steps) + ", at least 1 is needed");
    if (!std::isfinite(scale.lambda)) fail("lambda of a time scale is not a finite number");
  }
  UpdateList schedule(levels);
  schedule.advance(0, length);
  return schedule.take();
}

int count_forces(const std::vector<MdUpdate>& updates, int level) {
  int count = 0;
  for (const MdUpdate& update : updates)
    if (update.kind != MdUpdate::Kind::drift && update.level == level)
      count += update.kind == MdUpdate::Kind::gradient_kick ? 2 : 1;
  return count;
}

}  // namespace plaq

#include "multigrid/setup/choose_cycles.hpp"

#include <algorithm>
#include <utility>

namespace plaq {
namespace {

// Cheaper parameters come first.
constexpr int steps_to_choose[] = {2, 4, 6, most_chosen_steps};
constexpr double tolerances_to_choose[] = {0.5, 0.25, 0.1};
constexpr auto fewer_steps = [](int a, int b) { return a < b; };
constexpr auto looser = [](double a, double b) { return a > b; };

class Descent {
 public:
  Descent(CycleProbe first, int most, const ProbeCycles& probed)
      : probed_(probed), best_(first.cycles), left_(most) {
    tried_.push_back(std::move(first));
  }

  // True if another of `choices` is better for one parameter of a lattice. `cheaper` is their order.
  template <class T, std::size_t n, class Cheaper>
  bool by(std::size_t level, T CycleParameters::*parameter, const T (&choices)[n], const Cheaper& cheaper) {
    const T* const end = choices + n;
    const auto not_cheaper = [&] { return std::lower_bound(choices, end, best_[level].*parameter, cheaper); };
    const auto dearer = [&] { return std::upper_bound(choices, end, best_[level].*parameter, cheaper); };
    bool better = false;
    while (not_cheaper() != choices && is_better(level, parameter, *(not_cheaper() - 1))) better = true;
    if (better) return true;
    while (dearer() != end && is_better(level, parameter, *dearer())) better = true;
    return better;
  }
  std::vector<CycleProbe> tried() && { return std::move(tried_); }

 private:
  // It is the best so far from then on. What was probed before was not.
  template <class T>
  bool is_better(std::size_t level, T CycleParameters::*parameter, T value) {
    std::vector<CycleParameters> cycles = best_;
    cycles[level].*parameter = value;
    const auto known = [&](const CycleProbe& one) { return one.cycles == cycles; };
    if (left_ == 0 || std::any_of(tried_.begin(), tried_.end(), known)) return false;
    --left_;
    tried_.push_back({cycles, probed_(cycles)});
    if (best_of(tried_).cycles != cycles) return false;
    best_ = std::move(cycles);
    return true;
  }

  const ProbeCycles& probed_;
  std::vector<CycleProbe> tried_;
  std::vector<CycleParameters> best_;
  int left_;
};

}  // namespace

const CycleProbe& best_of(const std::vector<CycleProbe>& tried) {
  return *std::min_element(tried.begin(), tried.end(), [](const CycleProbe& a, const CycleProbe& b) {
    return a.result.seconds_per_e() < b.result.seconds_per_e();
  });
}

std::vector<CycleProbe> choose_cycles(const std::vector<LevelSettings>& levels, CycleProbe first, int most,
                                      const ProbeCycles& probed) {
  const bool iterates = first.result.coarse_iterations > 0;
  Descent descent(std::move(first), most, probed);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t level = 0; level < levels.size(); ++level) {
      if (levels[level].chooses_steps)
        better |= descent.by(level, &CycleParameters::smoothing_steps, steps_to_choose, fewer_steps);
      if (levels[level].chooses_tolerance && level == 0 && iterates)
        better |= descent.by(level, &CycleParameters::coarse_tolerance, tolerances_to_choose, looser);
    }
  }
  return std::move(descent).tried();
}

}  // namespace plaq

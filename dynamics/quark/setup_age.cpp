#include "dynamics/quark/setup_age.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/system/runs_dry.hpp"

namespace plaq {
namespace {

constexpr std::int64_t assumed_moves = 6;

}  // namespace

void SetupAge::add(double mu, std::int64_t iterations, double tolerance) {
  const double e = -std::log(tolerance), count = static_cast<double>(iterations);
  double& best = best_.try_emplace(mu, count / e).first->second;
  best = std::min(best, count / e);
  excess_ += count - best * e;
}

bool SetupAge::renewal_pays() const { return by_data(excess_ >= renewal_, moves_ >= assumed_moves); }

void SetupAge::visit(StateArchive& archive) {
  archive(excess_);
  std::vector<double> twists, numbers;
  for (const auto& [mu, best] : best_) {
    twists.push_back(mu);
    numbers.push_back(best);
  }
  archive(twists);
  archive(numbers);
  archive.expect(twists.size() == numbers.size());
  best_.clear();
  for (std::size_t i = 0; i < twists.size(); ++i) best_[twists[i]] = numbers[i];
}

}  // namespace plaq

#include "gaugefix/sweep/omega_control.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plaq {
namespace {

constexpr double waits =
    3;  // times that the slowest mode of this omega, omega - 1, falls to 1/e before a look

// Best omega for the slowest mode where omega is below the best one.
double best_omega(double omega, double lambda) {
  const double mu_squared = (lambda + omega - 1) * (lambda + omega - 1) / (lambda * omega * omega);
  return 2 / (1 + std::sqrt(std::max(0.0, 1 - mu_squared)));
}

}  // namespace

OmegaControl::Limits OmegaControl::limits_of(int extent) {
  Limits limits;
  // 1 - mu^2 of the mode 2 pi / extent in one of four directions.
  const double free = std::sqrt((1 - std::cos(2 * std::numbers::pi / std::max(extent, 4))) / 2);
  limits.most = std::min(limits.most, 2 / (1 + free / 6));
  return limits;
}

void OmegaControl::observe(int sweeps, double theta) {
  if (!(last_ > 0) || !(theta > 0)) {
    last_ = theta;
    sweeps_ = 0;
    return;
  }
  sweeps_ += sweeps;
  // Long enough for what a change of omega stirs up to be gone.
  if (sweeps_ < waits / -std::log(omega_ - 1)) return;
  const double lambda = std::pow(theta / last_, 0.5 / sweeps_);
  last_ = theta;
  sweeps_ = 0;
  const double tightest = omega_ - 1;  // at the best omega and above
  if (lambda > tightest + 0.1 * (1 - tightest)) {
    // From below. Half of the way to 2 at most: early on theta falls as it likes.
    const double wish = lambda < 1 ? best_omega(omega_, lambda) : 2;
    omega_ = std::min(wish, omega_ + 0.4 * (2 - omega_));
  } else {
    omega_ -= 0.1 * (2 - omega_);
  }
  omega_ = std::clamp(omega_, limits_.least, limits_.most);
}

}  // namespace plaq

#include "dynamics/integrator/integration_error.hpp"

#include <cmath>
#include <span>

namespace plaq {
namespace {

// d(P.F)/dt between two kicks.
double slope(const KickRecord& first, const KickRecord& second) {
  return (second.before - first.after) / (second.time - first.time);
}

// d(P.F)/dt at the first of these kicks, from the slopes behind it.
double slope_at_start(std::span<const KickRecord> kicks) {
  const double first = slope(kicks[0], kicks[1]);
  if (kicks.size() < 3) return first;
  const double change = slope(kicks[1], kicks[2]) - first;
  return first - change * (kicks[1].time - kicks[0].time) / (kicks[2].time - kicks[0].time);
}

double slope_at_end(const std::vector<KickRecord>& kicks) {
  // Read from their end, with time and momenta reversed.
  std::vector<KickRecord> back;
  for (auto kick = kicks.rbegin(); kick != kicks.rend() && back.size() < 3; ++kick)
    back.push_back({-kick->time, kick->square, -kick->after, -kick->before});
  return slope_at_start(back);
}

}  // namespace

ErrorCoefficients error_coefficients(const TimeScale& scale) {
  if (order_of(scale.integrator) != 2) return {};
  const double l = scale.integrator == Integrator::leapfrog ? 0.5 : scale.lambda;
  return {(6 * l * l - 6 * l + 1) / 12, (1 - 6 * l) / 24};
}

std::vector<double> mean_square_steps(const std::vector<TimeScale>& levels, double length) {
  std::vector<double> squares;
  double drift = length * length;  // the mean of its square
  for (const TimeScale& scale : levels) {
    squares.push_back(drift / (static_cast<double>(scale.steps) * scale.steps));
    double cubes = 0;
    for (const double fraction : drift_fractions(scale)) cubes += std::pow(fraction, 3);
    drift = squares.back() * cubes;
  }
  return squares;
}

double predicted_delta_h(const TimeScale& scale, double mean_square_step,
                         const std::vector<KickRecord>& kicks) {
  const auto [force, drift] = error_coefficients(scale);
  if (kicks.size() < 2 || (force == 0 && drift == 0)) return 0;
  const double start = force * kicks.front().square - drift * slope_at_start(kicks);
  const double end = force * kicks.back().square - drift * slope_at_end(kicks);
  return -mean_square_step * (end - start);
}

}  // namespace plaq

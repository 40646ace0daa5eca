#include "tests/reference/heatbath_exact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

namespace plaq::reference {
namespace {

// Simpson's rule.
template <class Function>
double integral(double from, double to, Function function) {
  constexpr int steps = 2048;
  const double h = (to - from) / steps;
  double sum = function(from) + function(to);
  for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * function(from + i * h);
  return sum * h / 3.0;
}

// The weight in the angle, a0 = cos(angle), without the constant factor exp(alpha).
double su2_weight(double alpha, double angle) {
  const double half = std::sin(0.5 * angle);
  return std::pow(std::sin(angle), 2) * std::exp(-2.0 * alpha * half * half);
}

}  // namespace

// exp(-alpha (1 - cos angle)) < 1e-20 outside the width
Su2OneLink::Su2OneLink(double alpha)
    : alpha_(alpha),
      width_(alpha > 24.0 ? std::acos(1.0 - 48.0 / alpha) : std::numbers::pi),
      normalisation_(integral(0.0, width_, [&](double angle) { return su2_weight(alpha, angle); })),
      mean_(integral(0.0, width_, [&](double angle) { return std::cos(angle) * su2_weight(alpha, angle); }) /
            normalisation_),
      mean_square_(
          integral(0.0, width_,
                   [&](double angle) { return std::pow(std::cos(angle), 2) * su2_weight(alpha, angle); }) /
          normalisation_) {}

double Su2OneLink::cumulative(double a0) const {
  const double angle = std::acos(std::clamp(a0, -1.0, 1.0));
  if (angle >= width_) return 0.0;
  return integral(angle, width_, [&](double other) { return su2_weight(alpha_, other); }) / normalisation_;
}

OneLinkMoments su3_one_link(double beta, double s) {
  constexpr int steps = 256;
  long double sum = 0.0L, sum_q = 0.0L, sum_q2 = 0.0L;
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j) {
      const double phi1 = 2.0 * std::numbers::pi * i / steps, phi2 = 2.0 * std::numbers::pi * j / steps;
      const std::array<std::complex<double>, 3> phase{std::polar(1.0, phi1), std::polar(1.0, phi2),
                                                      std::polar(1.0, -phi1 - phi2)};
      const double measure =
          std::norm(phase[0] - phase[1]) * std::norm(phase[0] - phase[2]) * std::norm(phase[1] - phase[2]);
      const double q = s * (phase[0] + phase[1] + phase[2]).real() / 3.0;
      const double weight = measure * std::exp(beta * (q - std::abs(s)));  // the constant keeps it in range
      sum += weight;
      sum_q += weight * q;
      sum_q2 += weight * q * q;
    }
  return {static_cast<double>(sum_q / sum), static_cast<double>(sum_q2 / sum)};
}

}  // namespace plaq::reference

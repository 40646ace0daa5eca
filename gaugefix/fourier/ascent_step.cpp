#include "gaugefix/fourier/ascent_step.hpp"

#include <algorithm>
#include <cmath>

namespace plaq {
namespace {

// Neighbours turn against each other by some 0.3 at most in the first step: |s|^2 is a sixteenth of the sum
// of (s(x+mu) - s(x))^2.
constexpr double first_radius_squared = 0.02;  // a site

// Maximum of g.x - x A x / 2 with x N x <= radius^2, where N = {{1, c}, {c, 1}}: (A + lambda N) x = g.
struct Model {
  double g[2], a00, a01, a11, c;
  bool solve(double lambda, double (&x)[2]) const {
    const double m00 = a00 + lambda, m01 = a01 + lambda * c, m11 = a11 + lambda;
    const double det = m00 * m11 - m01 * m01;
    if (!(m00 > 0 && m11 > 0 && det > 1e-8 * m00 * m11)) return false;
    x[0] = (m11 * g[0] - m01 * g[1]) / det;
    x[1] = (m00 * g[1] - m01 * g[0]) / det;
    return true;
  }
  double length_squared(const double (&x)[2]) const {
    return x[0] * x[0] + 2 * c * x[0] * x[1] + x[1] * x[1];
  }
  // False: there is no such lambda.
  bool maximize(double radius, double (&x)[2]) const {
    const auto fits = [&](double lambda) { return solve(lambda, x) && length_squared(x) <= radius * radius; };
    if (fits(0)) return true;
    double low = 0, high = std::max({std::abs(a00), std::abs(a01), std::abs(a11), 1e-30});
    for (int n = 0; !fits(high); ++n, high *= 4)
      if (n > 200) return false;
    for (int n = 0; n < 40; ++n) {
      const double middle = 0.5 * (low + high);
      (fits(middle) ? high : low) = middle;
    }
    return fits(high);
  }
};

}  // namespace

AscentState::AscentState(double sites, double rounding, bool conjugate)
    : rounding_(rounding), conjugate_(conjugate), radius_(std::sqrt(first_radius_squared * sites)) {}

void AscentState::set_radius(const AscentSums& now) {
  // If the promise drowns in the rounding of F, F' at both ends decides as well: such steps are short.
  const bool seen = promised_ > rounding_ * std::abs(now.functional);
  const double gained = seen ? now.functional - functional_ : 0.5 * (slope_ + now.rd);
  const double ratio = gained / promised_, length = std::sqrt(length_squared_);
  if (ratio < 0.25) {
    radius_ = (ratio < 0 ? 0.25 : 0.5) * length;
  } else if (ratio > 0.75 && length > 0.9 * radius_) {
    radius_ *= 2;
  }
}

AscentStep AscentState::next(const AscentSums& now) {
  if (stepped_) {
    set_radius(now);
    stepped_ = false;
    const bool fell = now.functional < functional_ - rounding_ * std::abs(functional_) ||
                      (now.rd < -slope_ && promised_ <= rounding_ * std::abs(now.functional));
    if (fell) {
      has_direction_ = false;
      ++taken_back_;
      return {0, -1};
    }
  }
  if (!(now.rz > 0)) return {};
  const AscentStep step = maximum(now);
  const double of_d = step.of_d, of_z = step.of_z;
  const double zd = now.rz - now.before_z, dd = now.rd - slope_;
  const double slope = of_z * now.rz + of_d * now.rd;
  const double bend = of_z * of_z * now.zz + (of_d != 0 ? 2 * of_z * of_d * zd + of_d * of_d * dd : 0.0);
  length_squared_ =
      of_z * of_z * now.rz + (of_d != 0 ? 2 * of_z * of_d * now.rd + of_d * of_d * length_squared_ : 0.0);
  functional_ = now.functional;
  slope_ = slope;
  promised_ = slope + 0.5 * bend;
  has_direction_ = stepped_ = true;
  return step;
}

AscentStep AscentState::maximum(const AscentSums& now) const {
  const double unit_z = std::sqrt(now.rz);
  const double zz = -now.zz / now.rz;
  if (conjugate_ && has_direction_ && length_squared_ > 0) {
    const double unit_d = std::sqrt(length_squared_);
    const double zd = -(now.rz - now.before_z) / (unit_z * unit_d), dd = -(now.rd - slope_) / length_squared_;
    const Model model{{unit_z, now.rd / unit_d}, zz, zd, dd, now.rd / (unit_z * unit_d)};
    double x[2];
    if (std::abs(model.c) < 0.99 && model.maximize(radius_, x)) return {x[0] / unit_z, x[1] / unit_d};
  }
  const double longest = radius_ / unit_z;
  return {zz > 0 ? std::min(1 / zz, longest) : longest, 0};
}

}  // namespace plaq

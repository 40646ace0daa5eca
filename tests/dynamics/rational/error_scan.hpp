// The error of a rational approximation on many points, from the coefficients alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "dynamics/rational/rational_approximation.hpp"

namespace plaq::test {

using Real = long double;

inline Real product_form(const RationalFunction& r, Real x) {
  Real value = r.amplitude();
  for (std::size_t i = 0; i < r.mu2().size(); ++i) value *= (x + r.nu2()[i]) / (x + r.mu2()[i]);
  return value;
}
inline Real pole_form(const RationalFunction& r, Real x) {
  Real value = r.constant();
  for (std::size_t i = 0; i < r.shifts().size(); ++i) value += r.residues()[i] / (x + r.shifts()[i]);
  return value;
}
inline Real value_of(const PowerProduct& f, Real x) {
  Real value = 1;
  for (const auto& [power, mass2] : f.factors()) value *= std::pow(x + mass2, static_cast<Real>(power));
  return value;
}

struct ErrorScan {
  std::vector<Real> peaks;  // largest |r/f - 1| between two changes of its sign
  Real largest() const { return *std::max_element(peaks.begin(), peaks.end()); }
  Real least() const { return *std::min_element(peaks.begin(), peaks.end()); }
};

// Points are equally spaced in log(x + m^2), m the smallest mass; both ends are among them.
inline ErrorScan scan_errors(const RationalApproximation& r, int points,
                             const std::function<Real(const RationalFunction&, Real)>& form = product_form) {
  Real shift = r.target.factors()[0].mass2;
  for (const PowerFactor& factor : r.target.factors()) shift = std::min<Real>(shift, factor.mass2);
  const Real low = std::log(r.range.low + shift), high = std::log(r.range.high + shift);
  ErrorScan scan;
  bool negative = false;
  for (int i = 0; i < points; ++i) {
    Real x = std::exp(low + (high - low) * i / (points - 1)) - shift;
    x = std::clamp<Real>(x, r.range.low, r.range.high);
    const Real error = form(r.function, x) / value_of(r.target, x) - 1;
    if (scan.peaks.empty() || (error < 0) != negative) scan.peaks.push_back(0);
    negative = error < 0;
    scan.peaks.back() = std::max(scan.peaks.back(), std::abs(error));
  }
  return scan;
}

}  // namespace plaq::test

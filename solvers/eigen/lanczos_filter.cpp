// The Chebyshev filter of a search: which part of the spectrum it damps, and when it begins again.
#include <algorithm>
#include <cmath>

#include "kernels/blas/operations.hpp"
#include "solvers/eigen/lanczos_run.hpp"

namespace plaq {
namespace {

// By a filter: the digits that others lose.
constexpr double most_amplified = 1e6, most_in_single = 1e3;
constexpr double best_growth = 2.5;
constexpr int more_below = 2;  // Ritz values, beyond those wanted, that a filter leaves undamped

}  // namespace

void Lanczos::Run::choose_filter(const Ritz& r) {
  const auto n = static_cast<std::size_t>(count);
  const auto edge = std::min(static_cast<std::size_t>(values + more_below), n - 1);
  high = r.values[n - 1] + r.errors[n - 1];
  // Next start vector: all Ritz vectors that are not damped, in equal parts.
  std::vector<Complex64> parts(n);
  for (std::size_t k = 0; k <= edge; ++k)
    for (std::size_t j = 0; j < n; ++j)
      parts[j] += r.vectors[k * n + j] / std::sqrt(static_cast<double>(edge + 1));
  begin_filter(parts, r.values[edge], r.values[0] - r.errors[0]);
}

bool Lanczos::Run::refine_filter() {
  const double lowest_value = report.values.front(), reach = report.values.back() - lowest_value;
  const double ratio = best_growth / (2 * degree);
  const double wanted = lowest_value + std::max(2 * reach, ratio * ratio * (high - lowest_value));
  if (!(wanted - lowest_value < 0.3 * (low - lowest_value))) return false;
  std::vector<Complex64> parts(static_cast<std::size_t>(count));
  const auto used = static_cast<std::size_t>(std::min(values + more_below, count));
  for (std::size_t k = 0; k < used; ++k) parts[k] = 1 / std::sqrt(static_cast<double>(used));
  return begin_filter(parts, wanted, lowest_value - report.bounds.front());
}

bool Lanczos::Run::begin_filter(const std::vector<Complex64>& parts, double edge, double bottom) {
  if (!(high - edge > 100 * rounding * report.largest)) return false;
  const double x = (high + edge - 2 * bottom) / (high - edge);
  const double amplified = rounding > 1e-10 ? most_in_single : most_amplified;
  int most = degree;
  if (x > 1) most = std::min(most, static_cast<int>(std::acosh(amplified) / std::acosh(x)));
  if (most < 2 || report.applications + size * (most | 1) > p.max_applications) return false;
  Field& w = v(count);
  batch().update<blas::Zero>(batch().coefficients(batch().all()), {&w});
  basis().add(parts, count, w, locked);
  basis().swap(locked, locked + count);
  low = edge;
  filter = std::make_unique<ChebyshevFilter>(of.a_, 1, most, low, high);
  lowest = false;
  count = 0;
  scale = 0;
  coupling.clear();
  std::fill(h.begin(), h.end(), 0);
  ++report.restarts;
  return true;
}

}  // namespace plaq

#include "jobs/model/link_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t constants = 3;  // latency, message, 1 / bandwidth
using Three = std::array<double, constants>;

// Terms of T over T: the fit is to make their sum with the constants 1.
Three terms_of(const ExchangeSample& s) {
  return {1 / s.seconds, (s.faces - 1) / s.seconds, s.bytes / s.seconds};
}

// Gauss's elimination with pivots, of those constants that are `in`; the others are 0. False where the
// samples do not determine them.
bool solve_normal(const std::vector<ExchangeSample>& samples, const std::array<bool, constants>& in,
                  Three& solution) {
  std::array<std::array<double, constants + 1>, constants> a{};
  Three scale{};  // columns differ by many powers of ten
  for (const auto& s : samples)
    for (std::size_t i = 0; i < constants; ++i) scale[i] = std::max(scale[i], std::abs(terms_of(s)[i]));
  for (const auto& s : samples) {
    Three t = terms_of(s);
    for (std::size_t i = 0; i < constants; ++i) t[i] = in[i] && scale[i] > 0 ? t[i] / scale[i] : 0;
    for (std::size_t i = 0; i < constants; ++i) {
      for (std::size_t j = 0; j < constants; ++j) a[i][j] += t[i] * t[j];
      a[i][constants] += t[i];
    }
  }
  solution = {};
  for (std::size_t i = 0; i < constants; ++i)
    if (!in[i]) a[i][i] = 1;
  for (std::size_t c = 0; c < constants; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < constants; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    std::swap(a[c], a[pivot]);
    if (std::abs(a[c][c]) < 1e-12) return false;
    for (std::size_t r = 0; r < constants; ++r) {
      if (r == c) continue;
      const double factor = a[r][c] / a[c][c];
      for (std::size_t k = c; k <= constants; ++k) a[r][k] -= factor * a[c][k];
    }
  }
  for (std::size_t i = 0; i < constants; ++i)
    solution[i] = in[i] && scale[i] > 0 ? a[i][constants] / a[i][i] / scale[i] : 0;
  return true;
}

double error_of(const ExchangeSample& s, const Three& x) {
  const Three t = terms_of(s);
  return t[0] * x[0] + t[1] * x[1] + t[2] * x[2] - 1;
}

double square_of(const std::vector<ExchangeSample>& samples, const Three& x) {
  double sum = 0;
  for (const auto& s : samples) sum += error_of(s, x) * error_of(s, x);
  return sum;
}

}  // namespace

// The bandwidth is always there; of the sets of other constants the best one without a negative number.
LinkFit fit_link(const std::vector<ExchangeSample>& samples) {
  bool sizes = false, counts = false;
  for (const auto& s : samples) {
    require(s.seconds > 0 && s.bytes > 0 && s.faces > 0, "a fit of exchanges that take no time");
    sizes = sizes || s.bytes != samples.front().bytes;
    counts = counts || s.faces != samples.front().faces;
  }
  require(sizes, "a fit of exchanges of one size");
  Three best{};
  double least = HUGE_VAL;
  for (const bool latency : {true, false})
    for (const bool message : {true, false}) {
      if (message && !counts) continue;
      Three x{};
      if (!solve_normal(samples, {latency, message, true}, x)) continue;
      if (*std::min_element(x.begin(), x.end()) < 0) continue;
      if (const double square = square_of(samples, x); square < least) {
        least = square;
        best = x;
      }
    }
  require(best[2] > 0, "a fit of exchanges without a bandwidth");
  LinkFit fit;
  fit.link = {best[0], best[1], 1 / best[2]};
  for (const auto& s : samples) fit.worst = std::max(fit.worst, std::abs(error_of(s, best)));
  fit.mean_square = std::sqrt(least / static_cast<double>(samples.size()));
  return fit;
}

}  // namespace plaq::jobs

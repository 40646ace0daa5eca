#include "kernels/gauge/flow_scales.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/system/error.hpp"

namespace plaq {
namespace {

// The polynomial through `count` samples around number `middle`, or fewer where there are not so many.
class LocalPolynomial {
 public:
  LocalPolynomial(std::span<const double> t, std::span<const double> y, std::size_t before,
                  std::size_t middle, std::size_t count) {
    count_ = std::min(count, t.size());
    std::size_t first = middle > before ? middle - before : 0;
    first = std::min(first, t.size() - count_);
    for (std::size_t i = 0; i < count_; ++i) {
      t_[i] = t[first + i];
      c_[i] = y[first + i];
    }
    for (std::size_t level = 1; level < count_; ++level)  // divided differences
      for (std::size_t i = count_ - 1; i >= level; --i) c_[i] = (c_[i] - c_[i - 1]) / (t_[i] - t_[i - level]);
  }

  struct Value {
    double value, slope;
  };
  Value at(double t) const {
    Value p{0, 0};
    for (std::size_t i = count_; i-- > 0;) {
      p.slope = p.value + (t - t_[i]) * p.slope;
      p.value = c_[i] + (t - t_[i]) * p.value;
    }
    return p;
  }

 private:
  std::size_t count_;
  std::array<double, 5> t_{}, c_{};
};

std::optional<double> first_rise(std::span<const double> t, std::span<const double> y, double target) {
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    if (!(y[i] < target && y[i + 1] >= target)) continue;
    const LocalPolynomial cubic(t, y, 1, i, 4);
    double low = t[i], high = t[i + 1];
    for (;;) {  // until no double is between them
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) return high;
      (cubic.at(middle).value < target ? low : high) = middle;
    }
  }
  return std::nullopt;
}

std::vector<double> squared_times_energy(std::span<const double> t, std::span<const double> energy) {
  require(t.size() == energy.size(), "flow times and energies differ in number");
  for (std::size_t i = 1; i < t.size(); ++i) require(t[i] > t[i - 1], "flow times do not ascend");
  std::vector<double> y(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) y[i] = t[i] * t[i] * energy[i];
  return y;
}

}  // namespace

std::optional<double> find_t0(std::span<const double> t, std::span<const double> energy, double target) {
  return first_rise(t, squared_times_energy(t, energy), target);
}

std::optional<double> find_w0(std::span<const double> t, std::span<const double> energy, double target) {
  const auto y = squared_times_energy(t, energy);
  if (t.size() < 2) return std::nullopt;
  std::vector<double> w(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) w[i] = t[i] * LocalPolynomial(t, y, 2, i, 5).at(t[i]).slope;
  const auto found = first_rise(t, w, target);
  if (!found) return std::nullopt;
  return std::sqrt(*found);
}

}  // namespace plaq

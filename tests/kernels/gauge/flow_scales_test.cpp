// t0 and w0 of analytic energies.
#include "kernels/gauge/flow_scales.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/system/error.hpp"

namespace plaq {
namespace {

struct Samples {
  std::vector<double> t, energy;
};

// y(t) = t^2 E(t) at 0, h, 2h, ..., the later ones moved by `uneven` times h.
Samples samples(const std::function<double(double)>& y, double h, double t_max, double uneven = 0) {
  Samples s;
  for (int n = 0; n * h <= t_max * (1 + 1e-12); ++n) {
    const double t = h * (n + (n > 0 ? uneven * std::sin(n) : 0));
    s.t.push_back(t);
    s.energy.push_back(t > 0 ? y(t) / (t * t) : 0);
  }
  return s;
}

double solve(const std::function<double(double)>& f, double target) {
  double low = 0, high = 4.5;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (f(middle) < target ? low : high) = middle;
  }
  return low;
}

// Smooth, and of no finite degree.
double y(double t) { return 0.5 * std::pow(std::sin(0.3 * t), 2) + 0.1 * std::log1p(t); }
double w(double t) { return t * (0.15 * std::sin(0.6 * t) + 0.1 / (1 + t)); }

TEST(FlowScales, ConvergeWithTheFourthOrder) {
  const double t0 = solve(y, 0.3), w0 = std::sqrt(solve(w, 0.3));
  for (const double uneven : {0.0, 0.2}) {
    double worst[2][4] = {};
    for (int k = 0; k < 4; ++k)
      for (int shift = 0; shift < 16; ++shift) {  // wherever the crossing is between two samples
        const double h = 0.4 / (1 << k) * (1 + shift / 160.0);
        const auto s = samples(y, h, 4.5, uneven);
        const auto t = find_t0(s.t, s.energy), r = find_w0(s.t, s.energy);
        ASSERT_TRUE(t && r);
        worst[0][k] = std::max(worst[0][k], std::abs(*t - t0));
        worst[1][k] = std::max(worst[1][k], std::abs(*r - w0));
      }
    for (const auto& errors : worst) {
      EXPECT_LT(errors[0], 1e-3);
      EXPECT_LT(errors[3], 2e-6);
      EXPECT_GT(errors[0] / errors[3], std::pow(12, 3));
      if (uneven > 0) continue;  // there, distances around the crossing are now smaller, now larger
      for (int k = 0; k < 3; ++k) EXPECT_GT(errors[k] / errors[k + 1], 12) << k;
    }
  }
}

// A cubic comes back exactly, wherever the samples are.
TEST(FlowScales, AreExactForACubic) {
  const auto cubic = [](double t) { return 0.02 * t * t * t - 0.03 * t * t + 0.2 * t; };
  const auto slope = [](double t) { return t * (0.06 * t * t - 0.06 * t + 0.2); };
  for (const double t_max : {2.0, 3.0, 5.0}) {
    const auto s = samples(cubic, 0.5, t_max, 0.3);
    EXPECT_NEAR(find_t0(s.t, s.energy).value(), solve(cubic, 0.3), 1e-13);
  }
  const auto coarse = samples([](double t) { return 0.01 * t * t + 0.1 * t; }, 0.5, 4);
  EXPECT_NEAR(find_w0(coarse.t, coarse.energy, 0.5).value(),
              std::sqrt(solve([](double t) { return 0.02 * t * t + 0.1 * t; }, 0.5)), 1e-13);
  const auto s = samples(cubic, 0.01, 5);
  EXPECT_NEAR(find_w0(s.t, s.energy).value(), std::sqrt(solve(slope, 0.3)), 1e-7);
}

TEST(FlowScales, FewSamplesAreUsedForWhatTheyGive) {
  const std::vector<double> t{0, 1, 2}, line{0, 0.2, 0.1};  // t^2 E = 0, 0.2, 0.4
  EXPECT_NEAR(find_t0(t, line).value(), 1.5, 1e-14);
  EXPECT_NEAR(find_w0(t, line).value(), std::sqrt(1.5), 1e-14);
  const std::vector<double> two{0, 2}, rise{0, 0.1};
  EXPECT_NEAR(find_t0(two, rise).value(), 1.5, 1e-14);
}

TEST(FlowScales, AreAbsentWhereTheyAreNotReached) {
  const auto s = samples(y, 0.1, 1);
  EXPECT_FALSE(find_t0(s.t, s.energy));
  EXPECT_FALSE(find_w0(s.t, s.energy));
  EXPECT_TRUE(find_t0(s.t, s.energy, 0.05));
  EXPECT_FALSE(find_t0({}, {}));
  EXPECT_FALSE(find_w0({}, {}));
  const std::vector<double> one{1.0}, nan(3, std::numeric_limits<double>::quiet_NaN()), t{0, 1, 2};
  EXPECT_FALSE(find_t0(one, one));
  EXPECT_FALSE(find_w0(one, one));
  EXPECT_FALSE(find_t0(t, nan));
  EXPECT_FALSE(find_w0(t, nan));
  // Falling through the target is no rise.
  const std::vector<double> falling{9, 1, 0};
  EXPECT_FALSE(find_t0({{1.0, 2.0, 3.0}}, falling));
}

TEST(FlowScales, WrongSamplesAreRefused) {
  const std::vector<double> t{0, 1, 1}, e{0, 1, 2}, shorter{0, 1};
  EXPECT_THROW(find_t0(t, e), Error);
  EXPECT_THROW(find_w0(t, e), Error);
  EXPECT_THROW(find_t0(e, shorter), Error);
  EXPECT_THROW(find_w0(e, shorter), Error);
}

}  // namespace
}  // namespace plaq

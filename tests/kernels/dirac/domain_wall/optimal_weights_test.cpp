// Optimal weights: known numbers, and what defines them, equal ripples of 1 - S.
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

using Real = long double;

TEST(OptimalWeights, KnownNumbers) {
  const double expected[] = {18.5783422914321, 11.3908547865848,  5.63073974331357,  2.64032843511355,
                             1.22174438933927, 0.572892124066560, 0.283192658676676, 0.173632630996392};
  const auto omega = optimal_weights(8, 0.05, 6.2);
  ASSERT_EQ(omega.size(), 8u);
  for (std::size_t s = 0; s < 8; ++s) EXPECT_NEAR(omega[s] / expected[s], 1, 1e-14) << s;
  EXPECT_NEAR(optimal_deviation(8, 0.05, 6.2), 0.00691215001505, 1e-14);
}

// 1 - S = 2 T / (1 + T), of which T keeps its relative accuracy.
Real one_minus_s(const std::vector<double>& omega, Real x) {
  Real t = 1;
  for (const double w : omega) t *= (1 - w * x) / (1 + w * x);
  return 2 * t / (1 + t);
}

// The largest |1 - S| between two of its zeros: it has one maximum there.
Real extremum(const std::vector<double>& omega, Real low, Real high) {
  const Real golden = (std::sqrt(Real(5)) - 1) / 2;
  auto size = [&](Real log_x) { return std::abs(one_minus_s(omega, std::exp(log_x))); };
  Real a = std::log(low), b = std::log(high);
  for (int step = 0; step < 70; ++step) {
    const Real c = b - golden * (b - a), d = a + golden * (b - a);
    (size(c) > size(d) ? b : a) = size(c) > size(d) ? d : c;
  }
  return one_minus_s(omega, std::exp((a + b) / 2));
}

const double conditions[] = {1.0001, 1.5, 10, 124, 5e3, 1e6, 1e9, 1e13};
const int sizes[] = {1, 2, 3, 5, 7, 8, 12, 16, 33, 64};

// Ls + 1 alternating extrema of the size that optimal_deviation() claims.
TEST(OptimalWeights, RipplesAreEqual) {
  for (const double condition : conditions)
    for (const int n : sizes) {
      SCOPED_TRACE(std::to_string(n) + " weights, condition " + std::to_string(condition));
      const double low = 0.37, high = low * condition;
      const auto omega = optimal_weights(n, low, high);
      const double deviation = optimal_deviation(n, low, high);
      std::vector<Real> found{one_minus_s(omega, low)};
      for (std::size_t s = 0; s + 1 < omega.size(); ++s) {
        ASSERT_GT(omega[s], omega[s + 1]);
        found.push_back(extremum(omega, 1 / Real(omega[s]), 1 / Real(omega[s + 1])));
      }
      found.push_back(one_minus_s(omega, high));
      ASSERT_EQ(found.size(), static_cast<std::size_t>(n) + 1);
      // A weight that is rounded moves T where 1 - omega x is small: by 1e-16 over the distance of zeros,
      // which for a narrow interval are close.
      const double spread = (condition - 1) / (condition + 1) / n;
      const double tolerance = std::min(1e-11, 1e-14 / spread * n) + 1e-14;
      for (std::size_t k = 0; k < found.size(); ++k) {
        const Real expected = k % 2 == 0 ? deviation : -deviation;
        EXPECT_NEAR(static_cast<double>(found[k] / expected), 1, std::max(tolerance, 1e-13 / spread)) << k;
      }
    }
}

// Alternating extrema of equal size belong to the best approximation alone; a weight 1e-6 off has others.
TEST(OptimalWeights, RipplesOfOtherWeightsAreNot) {
  auto omega = optimal_weights(8, 0.05, 6.2);
  omega[3] *= 1 + 1e-6;
  const double at_end = static_cast<double>(one_minus_s(omega, 0.05L));
  const double inside = static_cast<double>(extremum(omega, 1 / Real(omega[2]), 1 / Real(omega[3])));
  EXPECT_GT(std::abs(at_end + inside), 1e-8);
}

TEST(OptimalWeights, PairsOfAnEvenNumber) {
  for (const double condition : conditions)
    for (const int n : sizes) {
      if (n % 2 == 1) continue;
      const double low = 0.02, high = low * condition;
      const auto omega = optimal_weights(n, low, high);
      for (int s = 0; s < n; ++s)
        EXPECT_NEAR(
            omega[static_cast<std::size_t>(s)] * omega[static_cast<std::size_t>(n - 1 - s)] * low * high, 1,
            2e-15)
            << n << " " << condition << " " << s;
    }
}

// Weights are of 1/lambda, and those of an interval stay within its inverses.
TEST(OptimalWeights, ScaleWithTheInterval) {
  for (const int n : sizes) {
    const auto omega = optimal_weights(n, 0.01, 7), doubled = optimal_weights(n, 0.02, 14);
    for (std::size_t s = 0; s < omega.size(); ++s) {
      EXPECT_NEAR(doubled[s] / omega[s], 0.5, 1e-15);
      EXPECT_GT(omega[s], 1 / 7.0);
      EXPECT_LT(omega[s], 100.0);
    }
    EXPECT_EQ(optimal_deviation(n, 0.01, 7), optimal_deviation(n, 0.02, 14));
  }
}

// One slice has S = omega x: lines have their best slope in closed form. An interval that is a point: exact
// there.
TEST(OptimalWeights, Limits) {
  for (const double low : {0.25, 1e-4, 3.9999}) {
    EXPECT_NEAR(optimal_weights(1, low, 4)[0] * (low + 4) / 2, 1, 1e-15);
    EXPECT_NEAR(optimal_deviation(1, low, 4) * (4 + low) / (4 - low), 1, 1e-15);
  }
  EXPECT_EQ(optimal_weights(3, 0.5, 0.5), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(optimal_deviation(3, 0.5, 0.5), 0);
  EXPECT_LT(optimal_deviation(12, 0.05, 6.2), optimal_deviation(8, 0.05, 6.2));
  EXPECT_GT(optimal_deviation(64, 1, 1.5), 0);  // far below the precision of 1 - S
}

TEST(OptimalWeights, WrongInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto refused = [](int n, double low, double high) {
    test::expect_error(ErrorKind::job_file, "must", [&] { optimal_weights(n, low, high); });
    test::expect_error(ErrorKind::job_file, "must", [&] { optimal_deviation(n, low, high); });
  };
  refused(0, 1, 2);
  refused(-4, 1, 2);
  refused(8, 0, 2);
  refused(8, -1, 2);
  refused(8, 2, 1);
  refused(8, nan, 1);
  refused(8, 1, nan);
  refused(8, 1, inf);
}

}  // namespace
}  // namespace plaq

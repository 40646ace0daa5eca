// The distributions that the heatbath draws from, against exact integrals.
#include "kernels/site/su2_heatbath.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/launch/dispatch.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/kernels/gauge/gauge_support.hpp"
#include "tests/reference/heatbath_exact.hpp"

namespace plaq {
namespace {

RandomStream stream_of_site(std::uint64_t site) { return {123, site, 7, Purpose::test, 0, 0}; }

class Su2 : public testing::TestWithParam<double> {};

template <class T>
void expect_exact_cosines(double alpha) {
  const reference::Su2OneLink exact(alpha);
  constexpr int count = 200000;
  std::vector<double> a0(count);
  double mean = 0, square = 0;
  for (int i = 0; i < count; ++i) {
    const T delta = draw_su2_delta(static_cast<T>(alpha), stream_of_site(static_cast<std::uint64_t>(i)));
    ASSERT_GE(delta, 0);
    a0[i] = 1 - static_cast<double>(delta);
    mean += a0[i] / count;
    square += a0[i] * a0[i] / count;
  }
  const double sigma = std::sqrt(exact.mean_square() - exact.mean() * exact.mean());
  EXPECT_NEAR(mean, exact.mean(), 4 * sigma / std::sqrt(count));
  EXPECT_NEAR(square, exact.mean_square(), 4 * 2 * sigma / std::sqrt(count));
  std::sort(a0.begin(), a0.end());
  double distance = 0;  // Kolmogorov and Smirnov: above 1.95 / sqrt(count) with probability 0.001
  for (int i = 0; i < count; i += 100)
    distance = std::max(distance, std::abs(exact.cumulative(a0[i]) - (i + 0.5) / count));
  EXPECT_LT(distance, 1.95 / std::sqrt(count));
}

TEST_P(Su2, CosineHasTheExactDistribution) {
  expect_exact_cosines<double>(GetParam());
  expect_exact_cosines<float>(GetParam());
}

// h = g u: its vector part has no preferred direction.
template <class T>
void expect_isotropic_elements(double alpha, double rounding) {
  const double k = 1.7, weight = alpha / (2 * k);
  const double u[4] = {0.5, -0.1, 0.7, std::sqrt(1 - 0.25 - 0.01 - 0.49)};
  Quaternion<T> q;
  for (int i = 0; i < 4; ++i) q.a[i] = static_cast<T>(k * u[i]);
  constexpr int count = 100000;
  double mean[4] = {}, product[4][4] = {};
  for (int n = 0; n < count; ++n) {
    const auto drawn =
        draw_su2(q, static_cast<T>(weight), stream_of_site(static_cast<std::uint64_t>(n) + 5000000));
    const double g[4] = {drawn.a[0], drawn.a[1], drawn.a[2], drawn.a[3]};
    const double h[4] = {g[0] * u[0] - g[1] * u[1] - g[2] * u[2] - g[3] * u[3],
                         g[0] * u[1] + g[1] * u[0] - (g[2] * u[3] - g[3] * u[2]),
                         g[0] * u[2] + g[2] * u[0] - (g[3] * u[1] - g[1] * u[3]),
                         g[0] * u[3] + g[3] * u[0] - (g[1] * u[2] - g[2] * u[1])};
    ASSERT_NEAR(h[0] * h[0] + h[1] * h[1] + h[2] * h[2] + h[3] * h[3], 1, rounding);
    for (int i = 0; i < 4; ++i) {
      mean[i] += h[i] / count;
      for (int j = 0; j < 4; ++j) product[i][j] += h[i] * h[j] / count;
    }
  }
  const reference::Su2OneLink exact(alpha);
  const double across = (1 - exact.mean_square()) / 3, error = 4.5 / std::sqrt(count);
  EXPECT_NEAR(mean[0], exact.mean(), error * std::sqrt(exact.mean_square() - exact.mean() * exact.mean()));
  for (int i = 1; i < 4; ++i) {
    EXPECT_NEAR(mean[i], 0, error * std::sqrt(across));
    EXPECT_NEAR(product[i][i], across, error * across);
    for (int j = 0; j < i; ++j) EXPECT_NEAR(product[i][j], 0, error * std::sqrt(across * product[j][j]));
  }
}

TEST_P(Su2, ElementsAreIsotropicAroundTheStaple) {
  expect_isotropic_elements<double>(GetParam(), 1e-14);
  expect_isotropic_elements<float>(GetParam(), 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Alpha, Su2, testing::Values(0, 1e-9, 0.3, 1.6, 1.7, 4, 24, 300));

TEST(Su2, DegenerateStaplesAreHandled) {
  const auto drawn = draw_su2<double>({{0, 0, 0, 0}}, 2, stream_of_site(1));
  const double(&free)[4] = drawn.a;
  EXPECT_NEAR(free[0] * free[0] + free[1] * free[1] + free[2] * free[2] + free[3] * free[3], 1, 1e-14);
  EXPECT_TRUE(std::isnan(draw_su2<double>({{1, NAN, 0, 0}}, 2, stream_of_site(1)).a[0]));
  EXPECT_TRUE(std::isnan(draw_su2<double>({{INFINITY, 0, 0, 0}}, 2, stream_of_site(1)).a[0]));
}

// Around the links of one direction and parity everything stays at unit links: staples 6. Those links are
// then drawn again and again from exp(beta/3 Re tr(6 U)), independently of each other.
TEST(Heatbath, OneLinkHasTheExactDistribution) {
  for (const Location location : test::locations())
    for (const Precision precision : test::both_precisions)
      for (const double beta : {0.2, 0.9, 6.0}) {
        const Queue queue(location);
        Field field(Geometry::create({{8, 8, 8, 8}}), gauge_spec(precision, location));
        cold_start(field, queue);
        const int mu = 2, parity = 1;
        double q = 0, q2 = 0, count = 0;
        for (std::uint32_t sweep = 0; sweep < 40; ++sweep) {
          dispatch(location, precision, [&](auto kind) {
            using K = decltype(kind);
            launch_heatbath<typename K::target, typename K::scalar>(field, {beta, 99, sweep}, mu, parity,
                                                                    queue);
          });
          if (sweep < 8) continue;
          const Field host = test::on_host(field);
          for (int s = 0; s < field.geometry().shape().half_volume; ++s) {
            const double value = 6 * trace(test::link(host, mu, parity, s)).real() / 3;
            q += value;
            q2 += value * value;
            count += 1;
          }
        }
        const auto exact = reference::su3_one_link(beta, 6);
        // Sweep after sweep is correlated, for a few sweeps at most: count as if by a factor of three.
        const double error = 4 * std::sqrt(3 * exact.variance() / count);
        EXPECT_NEAR(q / count, exact.mean, error) << beta;
        EXPECT_NEAR(q2 / count, exact.mean_square,
                    error * 2 * std::max(std::abs(exact.mean), std::sqrt(exact.variance())))
            << beta;
        EXPECT_NEAR(q2 / count - q * q / count / count, exact.variance(),
                    4 * std::sqrt(9 / count) * exact.variance())
            << beta;
      }
}

}  // namespace
}  // namespace plaq

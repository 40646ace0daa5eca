// Both forms of a rational function, its inverse and its factors. Numbers: exact fractions.
#include "dynamics/rational/rational_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

// 3 (x+2)(x+5)(x+11) / ((x+1)(x+4)(x+7)), given in another order.
RationalFunction three_pairs() { return {3, {11, 2, 5}, {4, 7, 1}}; }

TEST(RationalFunction, BothForms) {
  const RationalFunction r = three_pairs();
  EXPECT_EQ(r.degree(), 3);
  EXPECT_EQ(r.amplitude(), 3);
  EXPECT_EQ(r.constant(), 3);
  EXPECT_EQ(r.nu2(), (std::vector<double>{2, 5, 11}));
  EXPECT_EQ(r.mu2(), (std::vector<double>{1, 4, 7}));
  EXPECT_EQ(r.shifts(), r.mu2());
  // By hand: a_1 = 3 (1)(4)(10)/((3)(6)), a_2 = 3 (-2)(1)(7)/((-3)(3)), a_3 = 3 (-5)(-2)(4)/((-6)(-3)).
  const double residues[] = {20.0 / 3, 14.0 / 3, 20.0 / 3};
  ASSERT_EQ(r.residues().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(r.residues()[i], residues[i]);
  EXPECT_DOUBLE_EQ(r(0), 330.0 / 28);
  EXPECT_DOUBLE_EQ(r(1), 3.0 * 3 * 6 * 12 / (2 * 5 * 8));
  EXPECT_DOUBLE_EQ(r.sum_over_poles(0), 330.0 / 28);
  EXPECT_DOUBLE_EQ(r.sum_over_poles(1), 3.0 * 3 * 6 * 12 / (2 * 5 * 8));
  for (double x = 1e-6; x < 1e6; x *= 1.7) EXPECT_NEAR(r.sum_over_poles(x) / r(x), 1, 2e-15) << x;
}

TEST(RationalFunction, Inverse) {
  const RationalFunction r = three_pairs(), inverse = r.inverse();
  EXPECT_EQ(inverse.nu2(), r.mu2());
  EXPECT_EQ(inverse.mu2(), r.nu2());
  for (double x = 1e-6; x < 1e6; x *= 1.7) {
    EXPECT_NEAR(r(x) * inverse(x), 1, 2e-15) << x;
    EXPECT_NEAR(inverse.sum_over_poles(x) / inverse(x), 1, 1e-14) << x;
  }
}

// A group of pairs, from the smallest pole on; the amplitude is in the first factor.
TEST(RationalFunction, Factors) {
  const RationalFunction r = three_pairs();
  const auto factors = r.split({2, 1});
  ASSERT_EQ(factors.size(), 2u);
  EXPECT_EQ(factors[0].amplitude(), 3);
  EXPECT_EQ(factors[0].nu2(), (std::vector<double>{2, 5}));
  EXPECT_EQ(factors[0].mu2(), (std::vector<double>{1, 4}));
  EXPECT_EQ(factors[1].amplitude(), 1);
  EXPECT_EQ(factors[1].nu2(), std::vector<double>{11});
  EXPECT_EQ(factors[1].mu2(), std::vector<double>{7});
  for (double x = 1e-6; x < 1e6; x *= 1.7) EXPECT_NEAR(factors[0](x) * factors[1](x) / r(x), 1, 2e-15) << x;
  const auto whole = r.split({3});
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].residues(), r.residues());
}

TEST(RationalFunction, ConstantFunction) {
  const RationalFunction r(0.7, {}, {});
  EXPECT_EQ(r.degree(), 0);
  EXPECT_EQ(r(5), 0.7);
  EXPECT_EQ(r.sum_over_poles(5), 0.7);
}

TEST(RationalFunction, WrongInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto refused = [](const char* what, double a, std::vector<double> nu2, std::vector<double> mu2) {
    test::expect_error(ErrorKind::internal, what, [&] { RationalFunction(a, nu2, mu2); });
  };
  refused("as many zeros as poles", 1, {1, 2}, {1});
  refused("simple poles", 1, {1, 2}, {3, 3});
  for (const double bad : {0.0, -1.0, nan, inf}) {
    refused("positive amplitude", bad, {2}, {1});
    refused("zeros and poles at negative x", 1, {bad}, {1});
    refused("zeros and poles at negative x", 1, {1}, {bad});
  }
  for (const std::vector<int>& sizes : {std::vector<int>{}, {2}, {2, 2}, {3, 0}, {4, -1}})
    test::expect_error(ErrorKind::internal, "share all of its pairs", [&] { three_pairs().split(sizes); });
}

}  // namespace
}  // namespace plaq

// Zolotarev's functions: numbers of M. Luescher's program ("Computational Strategies in Lattice QCD",
// arXiv:1002.4232), numbers of 40 digits, and what defines a best approximation.
#include "dynamics/rational/zolotarev.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/dynamics/rational/error_scan.hpp"

namespace plaq {
namespace {

TEST(Zolotarev, ErrorsOfLuescher) {
  EXPECT_NEAR(zolotarev_delta({1e-5, 1}, 6) / 5.0287212083799089e-04, 1, 2e-14);
  EXPECT_NEAR(zolotarev_delta({1e-5, 1}, 12) / 1.2615414383737566e-07, 1, 2e-14);
  EXPECT_NEAR(zolotarev_delta({1e-5, 1}, 24) / 7.9394311806793910e-15, 1, 2e-14);
}

TEST(Zolotarev, CoefficientsOfLuescher) {
  const RationalApproximation z = zolotarev({1e-3, 1}, 5);
  EXPECT_NEAR(z.delta / 5.3847952988591471e-05, 1, 1e-14);
  EXPECT_NEAR(z.function.constant() / 0.2801782460422457, 1, 1e-14);
  const double a[] = {0.0194661374678695, 0.03561358805557574, 0.0821572765515051, 0.211136225235933,
                      0.7946025292155642};
  const double b[] = {0.0002065381736724, 0.0030270775106598, 0.0200732678058145, 0.1251758626987237,
                      1.00293287433757};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(z.function.residues()[i] / a[i], 1, 1e-12) << i;
    EXPECT_NEAR(z.function.shifts()[i] / b[i], 1, 1e-12) << i;
  }
}

// Numbers of the formulas in 40 digits.
TEST(Zolotarev, NarrowInterval) {
  const RationalApproximation z = zolotarev({1, 1.0009765625}, 2);
  EXPECT_NEAR(z.delta / 3.3798733438757179943e-21, 1, 1e-15);
  EXPECT_DOUBLE_EQ(z.function.amplitude(), 0.19995119867891384437);
  EXPECT_DOUBLE_EQ(z.function.mu2()[0], 0.10562434309993054088);
  EXPECT_DOUBLE_EQ(z.function.nu2()[0], 0.5281217233616012179);
  EXPECT_DOUBLE_EQ(z.function.mu2()[1], 1.8953519959917240706);
  EXPECT_DOUBLE_EQ(z.function.nu2()[1], 9.4767601210355669175);
}

TEST(Zolotarev, WideInterval) {
  const RationalApproximation z = zolotarev({std::ldexp(1, -40), 16}, 9);
  EXPECT_NEAR(z.delta / 0.014264807503301326895, 1, 1e-15);
  EXPECT_DOUBLE_EQ(z.function.amplitude(), 0.13934171080724187116);
  const double alternating[] = {
      8.9461708352748281353e-13, 7.0983996743556326235e-12,  4.3020549398119889503e-11,
      2.4999919063364081171e-10, 1.4424057673285579932e-9,   8.3118444959063868628e-9,
      4.7886586093469633164e-8,  2.7587612626802257378e-7,   1.589320772867206299e-6,
      9.1560592907337018781e-6,  0.000052748004784688022633, 0.00030388291201137261061,
      0.0017507444028258375255,  0.010088641877325597158,    0.058207849359367855914,
      0.33825498353591013303,    2.0500275971975081427,      16.266082434943591256};
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_DOUBLE_EQ(z.function.mu2()[i], alternating[2 * i]);
    EXPECT_DOUBLE_EQ(z.function.nu2()[i], alternating[2 * i + 1]);
  }
}

// delta is about 4 exp(-pi^2 (2n + 1)/ln(16 high/low)).
TEST(Zolotarev, ErrorsFallExponentially) {
  for (const double low : {1e-2, 1e-5, 1e-9})
    for (const int n : {10, 20, 40}) {
      const double slope = std::acos(-1.0) * std::acos(-1.0) * (2 * n + 1) / std::log(16 * 7 / low);
      if (slope < 5) continue;
      EXPECT_NEAR(zolotarev_delta({low, 7}, n) / (4 * std::exp(-slope)), 1, 0.02) << low << " " << n;
    }
}

void expect_equal_ripples(SpectralRange range, int n, int points, double tolerance) {
  const RationalApproximation z = zolotarev(range, n);
  SCOPED_TRACE(testing::Message() << n << " poles, from " << range.low << ", delta " << z.delta);
  for (const auto& form : {test::product_form, test::pole_form}) {
    const auto scan = test::scan_errors(z, points, form);
    ASSERT_EQ(scan.peaks.size(), static_cast<std::size_t>(2 * n + 2));
    const double rounding = n * 1e-16 / z.delta;
    EXPECT_NEAR(static_cast<double>(scan.largest() / z.delta), 1, tolerance + rounding);
    EXPECT_NEAR(static_cast<double>(scan.least() / z.delta), 1, tolerance + rounding);
  }
}

// 2n + 2 extrema with alternating signs, of the size delta. Points between miss an extremum by the tolerance.
TEST(Zolotarev, RipplesAreEqual) {
  for (const double low : {0.4, 1e-2, 1e-5, 1e-8})
    for (const int n : {1, 2, 5, 12})
      if (zolotarev_delta({low, 3}, n) > 1e-11) expect_equal_ripples({low, 3}, n, 20000, 1e-4);
}

TEST(Zolotarev, RipplesOnAMillionPoints) { expect_equal_ripples({1e-5, 1}, 12, 1000000, 1e-7); }

// The best function that double precision keeps: rounding of its coefficients adds little to delta.
TEST(Zolotarev, SmallestError) {
  const RationalApproximation z = zolotarev({1e-5, 1}, 24);
  for (const auto& form : {test::product_form, test::pole_form})
    EXPECT_LT(static_cast<double>(test::scan_errors(z, 50000, form).largest()), z.delta + 24e-16);
}

TEST(Zolotarev, ExtremaAreWhereTheErrorIsDelta) {
  const int n = 7;
  const RationalApproximation z = zolotarev({1e-4, 2}, n);
  const auto x = zolotarev_extrema(1e-4, 2, n);
  ASSERT_EQ(x.size(), static_cast<std::size_t>(2 * n + 2));
  EXPECT_EQ(x.front(), 1e-4);
  EXPECT_EQ(x.back(), 2);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto error = test::product_form(z.function, x[k]) * std::sqrt(x[k]) - 1;
    EXPECT_NEAR(static_cast<double>(error) / z.delta, k % 2 == 0 ? -1 : 1, n * 1e-16 / z.delta) << k;
  }
}

TEST(Zolotarev, SignsAndScale) {
  const RationalApproximation z = zolotarev({0.01, 7}, 6), scaled = zolotarev({0.04, 28}, 6);
  EXPECT_NEAR(scaled.delta / z.delta, 1, 1e-14);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LT(i == 0 ? 0 : z.function.nu2()[i - 1], z.function.mu2()[i]);  // poles and zeros alternate
    EXPECT_LT(z.function.mu2()[i], z.function.nu2()[i]);
    EXPECT_GT(z.function.residues()[i], 0);
    EXPECT_NEAR(scaled.function.mu2()[i] / z.function.mu2()[i], 4, 1e-14);
  }
  EXPECT_NEAR(scaled.function(0.4) / z.function(0.1), 0.5, 1e-14);
}

}  // namespace
}  // namespace plaq

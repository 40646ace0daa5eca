// Remez' algorithm: numbers of MILC's rational functions (ks_imp_rhmc/test, by A. D. Kennedy and M. Clark's
// program in 65 and 75 digits), of another program in Python, of Zolotarev's functions, and what defines a
// best approximation.
#include "dynamics/rational/remez.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/rational/zolotarev.hpp"
#include "tests/dynamics/rational/error_scan.hpp"
#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

// MILC's x is D^2 without 1/4: its masses are 4 m^2.
double milc_mass2(double m) { return 4 * m * m; }
PowerProduct milc_light(double power) {
  return PowerProduct(
      {{2 * power, milc_mass2(0.0018)}, {power, milc_mass2(0.018)}, {-3 * power, milc_mass2(0.2)}});
}
const SpectralRange milc_range{1e-15, 90};

void expect_coefficients(const RationalFunction& r, double constant, const std::vector<double>& residues,
                         const std::vector<double>& shifts, double tolerance) {
  ASSERT_EQ(r.shifts().size(), shifts.size());
  EXPECT_NEAR(r.constant() / constant, 1, tolerance);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    EXPECT_NEAR(r.shifts()[i] / shifts[i], 1, tolerance) << i;
    EXPECT_NEAR(r.residues()[i] / residues[i], 1, tolerance) << i;
  }
}

TEST(Remez, ErrorsOfMilc) {
  // The last digit printed is the seventh.
  const auto expect_delta = [](const PowerProduct& f, int degree, double delta) {
    EXPECT_NEAR(remez(f, milc_range, degree).delta / delta, 1, 5.1e-7) << f.text() << " " << degree;
  };
  expect_delta(milc_light(0.125), 11, 2.609214e-08);
  expect_delta(milc_light(0.25), 9, 7.142803e-07);
  expect_delta(PowerProduct({{0.25, milc_mass2(0.2)}}), 7, 2.398230e-07);
  expect_delta(PowerProduct({{0.125, milc_mass2(0.2)}}), 9, 1.700228e-09);
  expect_delta(PowerProduct({{0.5, milc_mass2(0.01)}, {0.25, milc_mass2(0.05)}}), 8, 4.741443e-05);
  expect_delta(PowerProduct({{0.25, milc_mass2(0.01)}, {0.125, milc_mass2(0.05)}}), 12, 2.683478e-07);
}

// The light quarks of a HISQ action, in a heatbath and, inverse, in the action before a trajectory.
TEST(Remez, CoefficientsOfMilcLightQuarks) {
  const RationalFunction r = remez(milc_light(0.125), milc_range, 11).function;
  expect_coefficients(
      r, 9.9999997054144441e-01,
      {-6.1181996183216969e-08, -3.1972850919566806e-07, -1.2889739313630413e-06, -4.9164171294956674e-06,
       -1.7885727822279434e-05, -8.9649120537620882e-05, -4.2383239139831769e-04, -1.7545752041854023e-03,
       -6.5415237810732890e-03, -1.9229327154483791e-02, -3.1771069043608095e-02},
      {1.6077271147878183e-05, 3.1038170165233612e-05, 7.6680302632668658e-05, 2.1021097040818416e-04,
       6.0002214031241747e-04, 1.8690577885841504e-03, 5.1962199426304808e-03, 1.4372931573596509e-02,
       3.7785887709356009e-02, 8.6572556104468554e-02, 1.4635555394124336e-01},
      5e-9);
  expect_coefficients(
      r.inverse(), 1.0000000294585565,
      {3.6792718907471811e-05, 8.3428724794954077e-05, 1.7964553858292710e-04, 3.9761363515394425e-04,
       9.1643200907348004e-04, 2.6083231179213225e-03, 4.6886167411716653e-03, 8.3164606434801853e-03,
       1.3814172439559062e-02, 1.7888244453920180e-02, 1.0904722227382873e-02},
      {1.4526277877996827e-05, 2.5533498646942081e-05, 6.0330129538279768e-05, 1.6250609558985776e-04,
       4.6059430998268610e-04, 1.3188596941041985e-03, 3.5341789689228428e-03, 9.8454192572075341e-03,
       2.6560390468775792e-02, 6.5036089617546894e-02, 1.2623335710904091e-01},
      5e-9);
}

TEST(Remez, CoefficientsOfMilcHeavyQuark) {
  const RationalFunction r = remez(PowerProduct({{0.125, milc_mass2(0.2)}}), milc_range, 9).function;
  expect_coefficients(r, 2.7327733614742757,
                      {-5.1288622160737063e-03, -2.0478919078421993e-02, -6.3951352353102550e-02,
                       -1.9268600508174474e-01, -5.8519459892515535e-01, -1.8580289566259904,
                       -6.6894626972932318, -3.4401695696851874e+01, -6.1789841402475429e+02},
                      {1.8642524371106700e-01, 3.1582609770026626e-01, 6.7910597147834129e-01,
                       1.6420879353554103, 4.2025399779967945, 1.1215270946596673e+01, 3.2072436285328692e+01,
                       1.1032630752536383e+02, 7.6441549844451458e+02},
                      5e-9);
}

// A program in Python with 60 digits, which stops where extrema agree to 1e-6.
TEST(Remez, NumbersOfAPythonProgram) {
  const RationalApproximation quarter = remez(PowerProduct(0.25), {1e-3, 1}, 5);
  EXPECT_NEAR(quarter.delta / 3.68007611166e-05, 1, 1e-8);
  expect_coefficients(
      quarter.function, 1.8065666548916,
      {-7.32840353751906e-05, -0.000763194476746957, -0.00721326218836465, -0.0801914520699114,
       -2.83319300397461},
      {0.000739316624799917, 0.00634856662229696, 0.0396526799652906, 0.254955524639151, 2.85503123896589},
      1e-9);
  const RationalApproximation three_quarters = remez(PowerProduct(-0.75), {1e-2, 10}, 6);
  EXPECT_NEAR(three_quarters.delta / 5.19913796164e-06, 1, 1e-8);
  EXPECT_NEAR(remez(PowerProduct(0.25), {1e-5, 1}, 15).delta / 1.39590012466e-09, 1, 1e-6);
  EXPECT_NEAR(remez(PowerProduct(0.125), {1e-5, 1}, 10).delta / 7.48564861718e-07, 1, 1e-6);
}

// x^(-1/2) in closed form.
TEST(Remez, AgreesWithZolotarev) {
  for (const int n : {1, 2, 3, 4, 7, 12, 20}) {
    const SpectralRange range{1e-6, 5};
    const RationalApproximation r = remez(PowerProduct(-0.5), range, n), z = zolotarev(range, n);
    EXPECT_NEAR(r.delta / z.delta, 1, 1e-13) << n;
    expect_coefficients(r.function, z.function.constant(), z.function.residues(), z.function.shifts(), 1e-13);
  }
}

// A power of x + m^2 is that of x on another range.
TEST(Remez, MassesShiftTheRange) {
  const RationalApproximation r = remez(PowerProduct({{0.25, 0.75}}), {0.25, 15.25}, 6);
  const RationalApproximation shifted = remez(PowerProduct(0.25), {1, 16}, 6);
  EXPECT_NEAR(r.delta / shifted.delta, 1, 1e-14);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(r.function.mu2()[i] / (shifted.function.mu2()[i] + 0.75), 1, 1e-14);
}

struct RemezCase {
  PowerProduct f;
  SpectralRange range;
  int degree;
};
const RemezCase remez_cases[] = {
    {PowerProduct(0.25), {1e-5, 1}, 11},
    {PowerProduct(-0.75), {1e-4, 5}, 10},
    {PowerProduct(0.125), {1e-7, 3}, 1},
    {PowerProduct(-1.0 / 3), {0.5, 1}, 3},
    {PowerProduct(0.95), {1e-3, 2}, 5},
    {PowerProduct({{-0.5, 1e-8}, {0.5, 1e-2}}), {1e-12, 90}, 12},                 // a ratio of masses
    {PowerProduct({{-0.5, 0}, {0.5, 1e-2}}), {1e-8, 90}, 10},                     // one of them 0
    {PowerProduct({{-0.25, 1e-8}, {-0.25, 1e-4}, {-0.25, 1}}), {1e-12, 90}, 10},  // three masses
    {PowerProduct({{-1, 1e-4}, {0.5, 1e-1}}), {1e-15, 90}, 8},
    {milc_light(0.125), milc_range, 10}};

void expect_equal_ripples_of(const RationalApproximation& r, int points, double tolerance) {
  const int n = r.function.degree();
  SCOPED_TRACE(testing::Message() << r.target.text() << ", " << n << " poles, delta " << r.delta);
  const auto scan = test::scan_errors(r, points);
  ASSERT_EQ(scan.peaks.size(), static_cast<std::size_t>(2 * n + 2));
  const double rounding = n * 1e-16 / r.delta;
  EXPECT_NEAR(static_cast<double>(scan.largest() / r.delta), 1, tolerance + rounding);
  EXPECT_NEAR(static_cast<double>(scan.least() / r.delta), 1, tolerance + rounding);
}

// 2n + 2 extrema with alternating signs, of the size delta. Points between miss an extremum by the tolerance.
TEST(Remez, RipplesAreEqual) {
  for (const auto& [f, range, degree] : remez_cases)
    expect_equal_ripples_of(remez(f, range, degree), 40000, 1e-4);
}

TEST(Remez, RipplesOnAMillionPoints) {
  expect_equal_ripples_of(remez(milc_light(0.125), milc_range, 11), 1000000, 1e-6);
}

// Both forms are one function; the sum over poles of a growing one loses what cancels.
TEST(Remez, FormsAgree) {
  for (const auto& [f, range, degree] : remez_cases) {
    const RationalFunction r = remez(f, range, degree).function;
    for (double x = range.low; x < range.high; x *= 1.5) {
      double terms = r.constant();
      for (std::size_t i = 0; i < r.shifts().size(); ++i)
        terms += std::abs(r.residues()[i]) / (x + r.shifts()[i]);
      EXPECT_NEAR(r.sum_over_poles(x), r(x), 4e-15 * terms) << f.text() << " at " << x;
    }
  }
}

TEST(Remez, NoSuchFunction) {
  const auto refused = [](const PowerProduct& f, const char* what) {
    test::expect_error(ErrorKind::not_converged, what, [&] { remez(f, {1e-5, 1}, 4); });
  };
  refused(PowerProduct(1.5), "x^1.5 on [1e-05, 1], degree 4: its zeros and poles are not real and negative");
  refused(PowerProduct(1), "x^1 on [1e-05, 1], degree 4: Remez' algorithm");
  refused(PowerProduct({{0.5, 0.01}, {-0.5, 0.01}}), "choose another degree, range or powers");
}

}  // namespace
}  // namespace plaq

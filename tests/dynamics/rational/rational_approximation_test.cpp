// Best approximations by degree and by error: which algorithm, the least degree, inverses, errors by name.
#include "dynamics/rational/rational_approximation.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "dynamics/rational/remez.hpp"
#include "dynamics/rational/zolotarev.hpp"
#include "tests/dynamics/rational/error_scan.hpp"
#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

const SpectralRange wide{1e-5, 1};

TEST(RationalApproximation, SquareRoots) {
  const RationalApproximation down = approximate(PowerProduct(-0.5), wide, 12),
                              up = approximate(PowerProduct(0.5), wide, 12);
  EXPECT_EQ(down.function.mu2(), zolotarev(wide, 12).function.mu2());
  EXPECT_EQ(down.delta, zolotarev(wide, 12).delta);
  EXPECT_EQ(up.delta, down.delta);
  EXPECT_EQ(up.function.nu2(), down.function.mu2());
  for (const RationalApproximation& r : {down, up}) {
    const auto scan = test::scan_errors(r, 50000);
    EXPECT_EQ(scan.peaks.size(), 26u);
    EXPECT_NEAR(static_cast<double>(scan.largest() / r.delta), 1, 1e-6);
    EXPECT_NEAR(static_cast<double>(scan.least() / r.delta), 1, 1e-4);
  }
}

TEST(RationalApproximation, OtherPowersAreRemez) {
  for (const PowerProduct& f :
       {PowerProduct(0.25), PowerProduct({{-0.5, 0.01}}), PowerProduct({{-0.25, 0}, {-0.25, 1}})}) {
    const RationalApproximation r = approximate(f, wide, 5), by_remez = remez(f, wide, 5);
    EXPECT_EQ(r.delta, by_remez.delta) << f.text();
    EXPECT_EQ(r.function.residues(), by_remez.function.residues()) << f.text();
  }
}

TEST(RationalApproximation, Inverse) {
  for (const PowerProduct& f : {PowerProduct(-0.5), PowerProduct(0.25)}) {
    const RationalApproximation r = approximate(f, wide, 3), inverse = r.inverse();
    EXPECT_EQ(inverse.target.factors()[0].power, -f.factors()[0].power);
    const auto scan = test::scan_errors(inverse, 50000);
    EXPECT_NEAR(static_cast<double>(scan.largest() / inverse.delta), 1, 1e-6);
    EXPECT_GT(inverse.delta, r.delta);
  }
}

// The least degree for an error: one less is not enough.
TEST(RationalApproximation, DegreeFromAnError) {
  for (const PowerProduct& f :
       {PowerProduct(-0.5), PowerProduct(0.5), PowerProduct(0.25), PowerProduct({{-0.5, 1e-4}, {0.5, 0.04}})})
    for (const double wanted : {0.3, 1e-3, 1e-7}) {
      const RationalApproximation r = approximate_within(f, wide, wanted);
      EXPECT_LE(r.delta, wanted) << f.text();
      const int degree = r.function.degree();
      EXPECT_EQ(approximate(f, wide, degree).delta, r.delta) << f.text();
      EXPECT_GT(degree == 1 ? 1 : approximate(f, wide, degree - 1).delta, wanted)
          << f.text() << " " << degree;
    }
  EXPECT_EQ(approximate_within(PowerProduct(-0.5), wide, 5.0287212084e-4).function.degree(), 6);
  EXPECT_EQ(approximate_within(PowerProduct(-0.5), wide, 5.0287212083e-4).function.degree(), 7);
}

TEST(RationalApproximation, WrongRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const SpectralRange range :
       {SpectralRange{0, 1}, {-1, 1}, {1, 1}, {2, 1}, {nan, 1}, {1, nan}, {1, inf}})
    for (const PowerProduct& f : {PowerProduct(-0.5), PowerProduct({{0.25, 0.1}})}) {
      test::expect_error(ErrorKind::job_file, "0 < low < high must hold", [&] { approximate(f, range, 3); });
      test::expect_error(ErrorKind::job_file, "0 < low < high must hold",
                         [&] { approximate_within(f, range, 0.1); });
    }
}

TEST(RationalApproximation, WrongDegree) {
  for (const int degree : {0, -1, 65})
    for (const double power : {-0.5, 0.25})
      test::expect_error(ErrorKind::job_file, "must be from 1 to 64",
                         [&] { approximate(PowerProduct(power), wide, degree); });
}

TEST(RationalApproximation, ErrorsBelowDoublePrecision) {
  EXPECT_EQ(approximate(PowerProduct(-0.5), wide, 24).function.degree(), 24);
  for (const PowerProduct& f :
       {PowerProduct(-0.5), PowerProduct({{0.25, 1}}), PowerProduct({{0.25, 1}, {-0.5, 2}})})
    test::expect_error(ErrorKind::job_file, "lower the degree", [&] { approximate(f, {0.1, 1}, 12); });
  for (const double wanted : {0.0, -1.0, 1e-15, 1.0, std::numeric_limits<double>::quiet_NaN()})
    test::expect_error(ErrorKind::job_file, "must be below 1 and at least 3.6e-15",
                       [&] { approximate_within(PowerProduct(-0.5), wide, wanted); });
  test::expect_error(ErrorKind::job_file, "needs a degree above 64", [&] {
    approximate_within(PowerProduct(-0.5), {1e-30, 1}, 1e-12);
  });
}

}  // namespace
}  // namespace plaq

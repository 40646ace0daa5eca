// Products of powers: values, text for messages, wrong input.
#include "dynamics/rational/power_product.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/error_of.hpp"

namespace plaq {
namespace {

TEST(PowerProduct, Values) {
  const PowerProduct f({{0.5, 5}, {-0.25, 12}});
  EXPECT_DOUBLE_EQ(f(4), 3.0 / 2);
  EXPECT_DOUBLE_EQ(f.inverse()(4), 2.0 / 3);
  EXPECT_EQ(f.inverse().factors()[1].power, 0.25);
  EXPECT_EQ(f.inverse().factors()[1].mass2, 12);
  EXPECT_DOUBLE_EQ(PowerProduct(-0.75)(16), 1.0 / 8);
}

TEST(PowerProduct, Text) {
  EXPECT_EQ(PowerProduct(-0.5).text(), "x^-0.5");
  EXPECT_EQ(PowerProduct({{0.25, 1.296e-5}, {-0.375, 0.16}}).text(),
            "(x + 1.296e-05)^0.25 (x + 0.16)^-0.375");
}

TEST(PowerProduct, WrongInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  test::expect_error(ErrorKind::job_file, "has no factor", [] { PowerProduct(std::vector<PowerFactor>{}); });
  for (const double power : {0.0, nan, inf})
    test::expect_error(ErrorKind::job_file, "must be finite and not 0", [&] { PowerProduct f(power); });
  for (const double mass2 : {-1e-9, nan, inf})
    test::expect_error(ErrorKind::job_file, "must be finite and not negative", [&] {
      PowerProduct({{0.5, 1}, {0.5, mass2}});
    });
}

}  // namespace
}  // namespace plaq

#include "io/gauge/gauge_file_info.hpp"

#include "io/gauge/gauge_file.hpp"
#include "tests/support/errors.hpp"

namespace plaq {
namespace {

TEST(HeaderDigits, AreGoodToHalfAUnitOfTheLast) {
  EXPECT_NEAR(tolerance_of_digits("0.71587"), 5e-6, 1e-11);
  EXPECT_NEAR(tolerance_of_digits(" -7.2e-1"), 5e-3, 1e-8);
  EXPECT_NEAR(tolerance_of_digits("7E+0"), 0.5, 1e-6);
  for (const char* exact : {"0.715872", "0.715872390099", "5.941000000000000e-01", "0.7158723900e0"})
    EXPECT_EQ(tolerance_of_digits(exact), header_tolerance) << exact;
}

TEST(HeaderDigits, DecideWhetherLinksAgree) {
  GaugeReadReport report;
  report.info.plaquette = 0.71587;
  report.info.plaquette_within = tolerance_of_digits("0.71587");
  EXPECT_NO_THROW(verify_gauge_file(report, 0.715872390099, 0));
  test::expect_error([&] { verify_gauge_file(report, 0.715876, 0); }, ErrorKind::input_file,
                     {"expected plaquette = 0.71587 within 5e-06", "found 0.715876"});
}

}  // namespace
}  // namespace plaq

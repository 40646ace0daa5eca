#include "jobs/common/terminal_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace plaq::jobs {
namespace {

// The numbers are written alike by python/plaq/analysis/notation.py, whose test has them, too.
TEST(WithError, Notation) {
  EXPECT_EQ(with_error(0.59664, 0.0018), "0.5966(18)");
  EXPECT_EQ(with_error(0.5, 0.0996), "0.50(10)");
  EXPECT_EQ(with_error(-12.345, 1.44), "-12.3(1.4)");
  EXPECT_EQ(with_error(1234.5, 25.0), "1234(25)");
  EXPECT_EQ(with_error(3.09e-5, 2.56e-5), "3.1(2.6)e-05");
  EXPECT_EQ(with_error(0.0007, 0.0027), "0.0007(27)");
  EXPECT_EQ(with_error(2.5, 0.0), "2.5(0)");
  EXPECT_EQ(with_error(2.5, std::numeric_limits<double>::quiet_NaN()), "2.5(?)");
  EXPECT_EQ(with_error(std::numeric_limits<double>::infinity(), 1.0), "nan");
}

}  // namespace
}  // namespace plaq::jobs

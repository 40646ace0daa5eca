// Numbers of trajectories and replicas in file names.
#include "jobs/common/number_pattern.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>

namespace plaq::jobs {
namespace {

ChainNumbers of(std::int64_t trajectory, std::optional<std::int64_t> replica = {}) {
  return {trajectory, replica};
}

TEST(NumberPattern, FindsNumbers) {
  const NumberPattern plain("field.{trajectory}.nersc");
  EXPECT_FALSE(plain.has_replica());
  EXPECT_EQ(plain.numbers_in("field.000120.nersc"), of(120));
  EXPECT_EQ(plain.numbers_in("some/where/field.9.nersc"), of(9));
  EXPECT_EQ(plain.numbers_in("field.999999999999999999.nersc"), of(999999999999999999));
  for (const char* other :
       {"field.nersc", "field..nersc", "field.x.nersc", "field.1.nersc.old", "myfield.1.nersc",
        "field.-1.nersc", "field.1234567890123456789.nersc", "fieldx1xnersc", ""})
    EXPECT_EQ(plain.numbers_in(other), std::nullopt) << other;

  const NumberPattern both("r{replica}/cfg_?_*n{trajectory}");
  EXPECT_TRUE(both.has_replica());
  EXPECT_EQ(both.numbers_in("/data/r003/cfg_a_n10"), of(10, 3));
  EXPECT_EQ(both.numbers_in("r1/cfg_a_b.n0007"), of(7, 1));
  EXPECT_EQ(both.numbers_in("cfg_a_n10"), std::nullopt);
  EXPECT_EQ(both.numbers_in("r1/x/cfg_a_n10"), std::nullopt);
  EXPECT_EQ(both.numbers_in("r1/cfg_a_/n10"), std::nullopt);

  EXPECT_EQ(NumberPattern("a+b(c)[{trajectory}]$").numbers_in("a+b(c)[5]$"), of(5));
  EXPECT_EQ(NumberPattern("{trajectory}id{replica}").numbers_in("4id5"), of(4, 5));
}

// A star or a question mark beside a number takes none of its digits.
TEST(NumberPattern, TakesAllNeighbouringDigits) {
  for (const char* pattern : {"conf*{trajectory}.nersc", "conf*{trajectory}*.nersc", "*{trajectory}.nersc",
                              "*f{trajectory}*", "con?{trajectory}?nersc", "?*f*{trajectory}*"})
    for (const int number : {8, 10, 1008, 1011})
      EXPECT_EQ(NumberPattern(pattern).numbers_in("conf" + std::to_string(number) + ".nersc"), of(number))
          << pattern;
  EXPECT_EQ(NumberPattern("conf?{trajectory}").numbers_in("conf1008"), std::nullopt);
  EXPECT_EQ(NumberPattern("conf{trajectory}?").numbers_in("conf1008"), std::nullopt);
  EXPECT_EQ(NumberPattern("*{trajectory}").numbers_in("conf1234567890123456789"), std::nullopt);
  EXPECT_EQ(NumberPattern("r*{replica}*n*{trajectory}").numbers_in("r0012_n0034"), of(34, 12));
  EXPECT_EQ(NumberPattern("{replica}*{trajectory}").numbers_in("12"), std::nullopt);
  // The pattern itself spells the digit beside the number.
  EXPECT_EQ(NumberPattern("b60{trajectory}").numbers_in("b601008"), of(1008));
  EXPECT_EQ(NumberPattern("{trajectory}0.nersc").numbers_in("1000.nersc"), of(100));
  EXPECT_EQ(NumberPattern("b6*{trajectory}").numbers_in("b6.n1008"), of(1008));
  EXPECT_EQ(NumberPattern("b6*{trajectory}").numbers_in("b61008"), std::nullopt);
}

TEST(NumberPattern, RefusesSeveralNumbers) {
  for (const auto& [pattern, path, says] :
       {std::tuple{"*{trajectory}*", "b6.0_1008", "trajectory 0, or trajectory 6, or trajectory 1008"},
        {"*.{trajectory}.*", "in/a.1.2.b", "trajectory 1, or trajectory 2 in in/a.1.2.b"},
        {"{replica}*.{trajectory}*", "1.2.3", "trajectory 2 of replica 1, or trajectory 3 of replica 1"}}) {
    try {
      NumberPattern(pattern).numbers_in(path);
      ADD_FAILURE() << pattern;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(NumberPattern("*.{trajectory}.*").numbers_in("a.5.5.b"), of(5));
}

TEST(NumberPattern, RefusesWhatIsNone) {
  for (const auto& [pattern, says] : {std::pair{"field.*", "no {trajectory}"},
                                      {"", "no {trajectory}"},
                                      {"{trajectory}.{trajectory}", "{trajectory} twice"},
                                      {"{replica}{replica}{trajectory}", "{replica} twice"},
                                      {"{replica}{trajectory}", "nothing between"},
                                      {"{trajectory}{replica}.x", "nothing between"},
                                      {"{trajectory}{number}", "another name"},
                                      {"{trajectory", "another name"},
                                      {"{trajectory}}", "another name"}}) {
    try {
      const NumberPattern refused(pattern);
      ADD_FAILURE() << pattern;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace plaq::jobs

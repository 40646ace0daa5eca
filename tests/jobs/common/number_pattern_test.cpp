// Numbers of trajectories and replicas in file names.
#include "jobs/common/number_pattern.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

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

TEST(NumberPattern, RefusesWhatIsNone) {
  for (const auto& [pattern, says] : {std::pair{"field.*", "no {trajectory}"},
                                      {"", "no {trajectory}"},
                                      {"{trajectory}.{trajectory}", "{trajectory} twice"},
                                      {"{replica}{replica}{trajectory}", "{replica} twice"},
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

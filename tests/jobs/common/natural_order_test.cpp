// File names with numbers in them.
#include "jobs/common/number_pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace plaq::jobs {
namespace {

// In order; the same whatever the order before.
const std::vector<std::string> ordered = {"",
                                          "field",
                                          "field.",
                                          "field.0",
                                          "field.9",
                                          "field.10",
                                          "field.010a",
                                          "field.10a",
                                          "field.0011",
                                          "field.11",
                                          "field.99999999999999999998",
                                          "field.99999999999999999999",
                                          "field.100000000000000000000",
                                          "field.x",
                                          "r1/n2.lime",
                                          "r1/n10.lime",
                                          "r2/n1.lime",
                                          "r10/n1.lime",
                                          "\xc3\xbc.9",
                                          "\xc3\xbc.10"};

TEST(NaturalOrder, NumbersCountAsNumbers) {
  std::mt19937 generator(3);
  for (int time = 0; time < 20; ++time) {
    std::vector<std::string> names = ordered;
    std::shuffle(names.begin(), names.end(), generator);
    std::sort(names.begin(), names.end(), naturally_before);
    EXPECT_EQ(names, ordered);
  }
}

TEST(NaturalOrder, IsStrict) {
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t k = 0; k < ordered.size(); ++k)
      EXPECT_EQ(naturally_before(ordered[i], ordered[k]), i < k) << ordered[i] << ' ' << ordered[k];
}

}  // namespace
}  // namespace plaq::jobs

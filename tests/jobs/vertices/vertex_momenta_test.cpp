// Momenta of vertices jobs: their texts, and the quark fields that are held for them.
#include <gtest/gtest.h>

#include "jobs/vertices/vertex_keys.hpp"

namespace plaq::vertex_momenta_test {
namespace {

using jobs::VertexMomenta;

TEST(VertexMomenta, AreReadFromTexts) {
  const Momentum4 a{1, -2, 0, 30}, b{0, 0, 1, -1};
  EXPECT_EQ(jobs::vertex_momenta("1,-2,0,30"), (VertexMomenta{a, a}));
  EXPECT_EQ(jobs::vertex_momenta(" 1, -2 ,0,30->0,0, 1,-1 "), (VertexMomenta{a, b}));
  for (const char* wrong :
       {"", "1", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,4 ->", "-> 1,2,3,4", "1,2,,4", "1 2,3,4,5",
        "1,2,3,4.0", "1,2,3,99999999999", "1,2,3,4 -> 1,2,3,4 -> 1,2,3,4", "1,2,3,4 - 1,2,3,4"})
    EXPECT_FALSE(jobs::vertex_momenta(wrong)) << wrong;
}

TEST(VertexMomenta, SayWhichQuarksAreHeld) {
  const Momentum4 a{1, 0, 0, 0}, b{0, 1, 0, 0}, c{0, 0, 1, 0};
  const std::vector<VertexMomenta> chain = {{a, a}, {a, b}, {b, c}};
  EXPECT_TRUE(jobs::is_used_after(chain, 0, a));
  EXPECT_FALSE(jobs::is_used_after(chain, 1, a));
  EXPECT_TRUE(jobs::is_used_after(chain, 1, b));
  EXPECT_EQ(jobs::most_quarks(chain), 2);
  EXPECT_EQ(jobs::count_momenta(chain), 3);
  EXPECT_EQ(jobs::most_quarks({{a, b}, {b, c}, {a, c}}), 3);  // a is kept for the last one
  EXPECT_EQ(jobs::most_quarks({{a, a}, {b, b}}), 1);
}

}  // namespace
}  // namespace plaq::vertex_momenta_test

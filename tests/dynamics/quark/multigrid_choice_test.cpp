// Choice between multigrid and conjugate gradients.
#include "dynamics/quark/multigrid_choice.hpp"

#include <gtest/gtest.h>

#include "dynamics/rational/zolotarev.hpp"

namespace plaq::multigrid_choice_test {
namespace {

// It pays up to larger twists than with a bad setup.
TEST(MultigridChoice, LargestTwist) {
  EXPECT_NEAR(largest_twist(0.4), 0.134, 0.001);  // 1.9 / (1.3 * 5 * 2 / 0.916)
  EXPECT_GT(largest_twist(0.2), largest_twist(0.4));
  EXPECT_EQ(largest_twist(1), 0);
}

// To 1e-5 all shifts are in one space, of 1.9 e / m iterations for the smallest of them.
TEST(MultigridChoice, OfShiftsInOneSpace) {
  // m = 0.01: 2187 iterations of 1.2; by multigrid 163, and 44 iterations of 1.1 for the other.
  EXPECT_EQ(shifts_by_multigrid({1e-4, 0.25}, 0, 0.4, 1e-5), 1);
  // m = 0.1 and 0.14: 1.2 times 218, for 163 and 1.1 times 154.
  EXPECT_EQ(shifts_by_multigrid({1e-4, 1e-2}, 1e-2, 0.4, 1e-5), 0);
  // The second shift gains nothing from a space that the first one needs, but by itself.
  EXPECT_EQ(shifts_by_multigrid({1e-4, 1.1e-4}, 0, 0.4, 1e-5), 2);
  EXPECT_EQ(shifts_by_multigrid({}, 0, 0.4, 1e-5), 0);
  EXPECT_EQ(shifts_by_multigrid({1e-4, 1e-2}, 0, 1, 1e-5), 0);
}

// Poles of a flavour: several for light quarks, none for heavy ones; beyond 1e-5 each shift counts.
TEST(MultigridChoice, OfPolesOfAFlavour) {
  const auto poles = [](double lowest, double tolerance) {
    const auto shifts = zolotarev({0.5 * lowest, 80}, 12).function.shifts();
    return shifts_by_multigrid(shifts, lowest, 0.3, tolerance);
  };
  EXPECT_EQ(poles(0.1, 1e-8), 0);
  EXPECT_GE(poles(1e-3, 1e-8), 3);
  EXPECT_LE(poles(1e-3, 1e-8), 7);
  EXPECT_GT(poles(1e-5, 1e-8), poles(1e-3, 1e-8));
  EXPECT_GE(poles(1e-3, 1e-12), poles(1e-3, 1e-8));
}

}  // namespace
}  // namespace plaq::multigrid_choice_test

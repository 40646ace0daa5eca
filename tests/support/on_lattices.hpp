// Tests over lattices: TEST_P(X, ...) with class X : public test::OnLattices {}.
#pragma once

#include "tests/support/grids.hpp"

namespace plaq::test {

// Skips lattices that do not split over the ranks.
class OnLattices : public testing::TestWithParam<Extents> {
 protected:
  void SetUp() override {
    if (!splits_over_the_ranks(GetParam())) GTEST_SKIP() << "no process grid of this many ranks";
  }
};

// Names of the cases: INSTANTIATE_TEST_SUITE_P(Extents, X, testing::Values(...), test::by_extents).
inline std::string by_extents(const testing::TestParamInfo<Extents>& info) { return to_string(info.param); }

}  // namespace plaq::test

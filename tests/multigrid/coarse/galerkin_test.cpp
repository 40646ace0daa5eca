// Galerkin operators against R M P of the slow references, of one level and of two: every process grid, odd
// coarse extents, one site a rank. Of nearest neighbours, and of the products that domain walls have.
#include <gtest/gtest.h>

#include "tests/multigrid/coarse_cases.hpp"

namespace plaq::galerkin_test {
namespace {

using test::Clover, test::OperatorCases, test::Wall;

class Galerkin : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Galerkin, IsRMPWithTheSameBitsOnEveryGridAndInEveryBatch) { test::expect_images(GetParam().make()); }

TEST_P(Galerkin, IsTheSumOfItsParts) { test::expect_parts(GetParam().make()); }

TEST_P(Galerkin, HasItsAdjointByGamma5) {
  const auto p = GetParam().make();
  if (!p.has_adjoint) GTEST_SKIP() << "without chirality";
  test::expect_adjoint(p);
  test::expect_gamma5_hermiticity(
      p, {{{Precision::double_precision, 18}, 1e-13}, {{Precision::single_precision, 18}, 1e-5}});
}

OperatorCases cases() {
  return {
      test::coarse_case("Plain", {4, 4, 4, 8}, Clover::none, {{{2, 2, 2, 4}, 4}}),
      test::coarse_case("Clover", {4, 4, 2, 8}, Clover::anisotropic, {{{2, 2, 2, 2}, 3}}),
      test::coarse_case("OddExtents", {6, 6, 2, 6}, Clover::isotropic, {{{2, 2, 2, 2}, 2}}),
      test::coarse_case("OddBlocks", {6, 2, 6, 4}, Clover::none, {{{3, 2, 3, 2}, 3}}),
      test::coarse_case("OneSite", {4, 2, 2, 2}, Clover::isotropic, {{{4, 2, 2, 2}, 8}}),
      test::coarse_case("NoBlocks", {2, 2, 2, 4}, Clover::none, {{{1, 1, 1, 1}, 2}}),
      test::coarse_case("TwoLevels", {8, 4, 4, 8}, Clover::isotropic, {{{2, 2, 2, 2}, 4}, {{2, 1, 2, 2}, 3}}),
      test::coarse_case("TwoLevelsOdd", {12, 4, 2, 6}, Clover::none, {{{2, 2, 2, 2}, 3}, {{2, 2, 1, 1}, 4}}),
  };
}
INSTANTIATE_TEST_SUITE_P(Of, Galerkin, testing::ValuesIn(cases()), test::name_of_case);

// Hops of two steps, and of one in each of two directions.
OperatorCases of_products() {
  const std::optional<LatticeOrder> checkerboard;  // where all extents are even
  return {
      test::coarse_case("Blocks", {4, 4, 4, 8}, Wall::moebius, 2, {{{2, 2, 2, 2}, 4}}),
      test::coarse_case("Checkerboard", {4, 4, 4, 4}, Wall::shamir, 3, {{{2, 2, 2, 2}, 3}}, checkerboard),
      test::coarse_case("OddExtents", {6, 6, 2, 6}, Wall::moebius, 2, {{{2, 2, 2, 2}, 3}}),
      test::coarse_case("OddBlocks", {6, 2, 6, 4}, Wall::general, 3, {{{3, 2, 3, 4}, 3}}),
      test::coarse_case("OneSite", {4, 2, 2, 4}, Wall::shamir, 4, {{{4, 2, 2, 4}, 5}}),
      test::coarse_case("OneSlice", {4, 4, 2, 6}, Wall::moebius, 1, {{{2, 4, 2, 3}, 4}}),
      test::coarse_case("TwoLevels", {8, 4, 4, 8}, Wall::moebius, 2, {{{2, 2, 2, 2}, 3}, {{2, 1, 2, 2}, 4}}),
      test::coarse_case("TwoLevelsOdd", {12, 4, 2, 6}, Wall::shamir, 2,
                        {{{2, 2, 2, 2}, 3}, {{2, 2, 1, 1}, 4}}),
      test::coarse_case("TwoLevelsChecked", {8, 4, 4, 4}, Wall::shamir, 2,
                        {{{2, 2, 2, 2}, 3}, {{2, 1, 1, 1}, 3}}, checkerboard),
  };
}
INSTANTIATE_TEST_SUITE_P(OfProducts, Galerkin, testing::ValuesIn(of_products()), test::name_of_case);

}  // namespace
}  // namespace plaq::galerkin_test

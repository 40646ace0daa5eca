// Galerkin operators against R M P of the slow references, of one level and of two: every process grid, odd coarse extents,
// one site a rank.
#include <gtest/gtest.h>

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/coarse.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq {
namespace {

using test::Clover, test::Level, test::OperatorCases;

class Galerkin : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Galerkin, IsRMPWithTheSameBitsOnEveryGridAndInEveryBatch) { test::expect_images(GetParam().make()); }

TEST_P(Galerkin, HasItsAdjointByGamma5) {
  const auto p = GetParam().make();
  test::expect_adjoint(p);
  test::expect_gamma5_hermiticity(
      p, {{{Precision::double_precision, 18}, 1e-13}, {{Precision::single_precision, 18}, 1e-5}});
}

Level wilson(const Extents& extents, Clover clover) {
  return test::top_level(test::wilson_operator(test::make_wilson(extents, clover)));
}

OperatorCases cases() {
  OperatorCases all;
  const auto add = [&](const char* name, const Extents& extents, Clover clover, const Extents& block,
                       int vectors) {
    all.push_back(
        {name, [=] { return test::coarse_level(wilson(extents, clover), block, vectors).problem; }});
  };
  add("Plain", {4, 4, 4, 8}, Clover::none, {2, 2, 2, 4}, 4);
  add("Clover", {4, 4, 2, 8}, Clover::anisotropic, {2, 2, 2, 2}, 3);
  add("OddExtents", {6, 6, 2, 6}, Clover::isotropic, {2, 2, 2, 2}, 2);
  add("OddBlocks", {6, 2, 6, 4}, Clover::none, {3, 2, 3, 2}, 3);
  add("OneSite", {4, 2, 2, 2}, Clover::isotropic, {4, 2, 2, 2}, 8);
  add("NoBlocks", {2, 2, 2, 4}, Clover::none, {1, 1, 1, 1}, 2);
  all.push_back(
      {"TwoLevels", [] {
         const Level coarse = test::coarse_level(wilson({8, 4, 4, 8}, Clover::isotropic), {2, 2, 2, 2}, 4);
         return test::coarse_level(coarse, {2, 1, 2, 2}, 3).problem;
       }});
  all.push_back(
      {"TwoLevelsOdd", [] {
         const Level coarse = test::coarse_level(wilson({12, 4, 2, 6}, Clover::none), {2, 2, 2, 2}, 3);
         return test::coarse_level(coarse, {2, 2, 1, 1}, 4).problem;
       }});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Of, Galerkin, testing::ValuesIn(cases()), test::name_of_case);

}  // namespace
}  // namespace plaq

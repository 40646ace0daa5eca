// Operators have the same bits on one rank and on any process grid, by every transport that the machine has.
#include <gtest/gtest.h>

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq::transports_test {
namespace {

using test::Clover;

class Transports : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Transports, GiveTheSameBits) { test::expect_same_bits_by_every_transport(GetParam().make()); }

test::OperatorCases cases() {
  test::OperatorCases all;
  for (const Extents& extents : {Extents{4, 4, 4, 8}, Extents{8, 12, 4, 6}, Extents{2, 6, 4, 20}})
    for (const Clover clover : {Clover::none, Clover::anisotropic})
      all.push_back({"wilson_" + to_string(extents) + "_" + test::name_of(clover), [=] {
                       return test::wilson_complement(test::make_wilson(extents, clover), 0,
                                                      WilsonSchur::Form::symmetric);
                     }});
  for (const auto& [extents, improved] :
       {std::pair{Extents{4, 4, 4, 8}, false}, std::pair{Extents{6, 4, 2, 12}, false},
        std::pair{Extents{8, 4, 4, 8}, true}, std::pair{Extents{4, 6, 2, 16}, true}})
    all.push_back({"staggered_" + to_string(extents) + (improved ? "_improved" : ""),
                   [extents = extents, improved = improved] {
                     return test::staggered_complement(test::make_staggered(extents, improved), 0);
                   }});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Of, Transports, testing::ValuesIn(cases()), test::name_of_case);

}  // namespace
}  // namespace plaq::transports_test

// All Schur complements on both parities in every storage, their sources, guesses and full solutions: against
// the slow reference on one rank, and from there bit by bit on every process grid, with
// forced partitions and in batches.
#include <gtest/gtest.h>

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq {
namespace {

using test::Clover, test::OperatorCases, test::Wall;
using Form = WilsonSchur::Form;

class Complements : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Complements, AreTheReferencesWithTheSameBitsOnEveryGridAndInEveryBatch) {
  test::expect_images(GetParam().make());
}

OperatorCases wilson() {
  OperatorCases cases;
  const auto add = [&](const Extents& extents, Clover clover, double mu = 0) {
    for (const Form form : {Form::symmetric, Form::asymmetric})
      for (const int parity : {0, 1})
        cases.push_back({to_string(extents) + "_" + test::name_of(clover) +
                             (form == Form::symmetric ? "_symmetric" : "_asymmetric") +
                             (parity == 0 ? "_even" : "_odd") + (mu != 0 ? "_twisted" : ""),
                         [=] {
                           return test::wilson_complement(
                               test::make_wilson(extents, clover, test::Gauge::random, mu), parity, form);
                         }});
  };
  add({4, 4, 4, 4}, Clover::none);
  add({4, 2, 2, 8}, Clover::anisotropic);
  add({2, 2, 2, 2}, Clover::isotropic);
  add({2, 4, 2, 6}, Clover::exponential);
  add({6, 2, 2, 10}, Clover::isotropic);
  add({4, 4, 2, 4}, Clover::none, 0.37);
  add({2, 6, 4, 2}, Clover::isotropic, -0.8);
  add({2, 2, 4, 4}, Clover::anisotropic, 0.05);
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Wilson, Complements, testing::ValuesIn(wilson()), test::name_of_case);

OperatorCases staggered() {
  OperatorCases cases;
  for (const auto& [extents, improved] :
       {std::pair{Extents{4, 4, 4, 4}, false}, std::pair{Extents{6, 2, 2, 10}, false},
        std::pair{Extents{2, 2, 2, 2}, false}, std::pair{Extents{4, 4, 4, 8}, true},
        std::pair{Extents{12, 2, 4, 8}, true}})
    for (const int parity : {0, 1})
      cases.push_back({to_string(extents) + (improved ? "_improved" : "") + (parity == 0 ? "_even" : "_odd"),
                       [=, extents = extents, improved = improved] {
                         const auto p = test::make_staggered(extents, improved, {1, -1, 1, -1});
                         return test::staggered_complement(p, parity);
                       }});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Staggered, Complements, testing::ValuesIn(staggered()), test::name_of_case);

OperatorCases domain_wall() {
  OperatorCases cases;
  // In double alone, where a bound is given.
  const auto add = [&](const Extents& extents, Wall wall, int n_s, int parity, double in_double = 0) {
    cases.push_back({to_string(extents) + "_" + test::name_of(wall) + "_" + std::to_string(n_s) +
                         (parity == 0 ? "_even" : "_odd"),
                     [=] {
                       auto p = test::wall_complement(test::make_wall_problem(extents, wall, n_s, 0), parity);
                       if (in_double > 0) {
                         p.bounds = {{Precision::double_precision, 18, in_double, in_double}};
                         p.batch = 2;
                         p.turn = 0, p.share = 1;
                       }
                       return p;
                     }});
  };
  for (const int parity : {0, 1}) {
    add({4, 4, 4, 4}, Wall::shamir, 4, parity);
    add({4, 2, 2, 6}, Wall::borici, 5, parity);
    add({4, 4, 2, 4}, Wall::moebius, 8, parity);
    add({2, 2, 2, 4}, Wall::optimal, 7, parity);
    add({6, 2, 2, 4}, Wall::general, 4, parity);
    add({2, 2, 2, 2}, Wall::general, 3, parity);
    add({2, 4, 2, 4}, Wall::steep, 5, parity);
    add({4, 2, 2, 2}, Wall::moebius, 1, parity);
    add({2, 2, 4, 2}, Wall::shamir, 2, parity);
    add({2, 2, 2, 2}, Wall::alike, 6, parity);
  }
  // More slices than one launch has right-hand sides.
  add({2, 2, 2, 4}, Wall::moebius, 65, 0, 1e-11);
  add({2, 2, 2, 4}, Wall::optimal, 100, 0, 1e-11);
  add({2, 2, 2, 4}, Wall::shamir, 256, 0, 1e-11);
  // Every kind with few slices.
  for (const Wall wall : test::all_walls)
    for (const int n_s : {1, 2, 3})
      for (const int parity : {0, 1}) add({2, 2, 2, 6}, wall, n_s, parity, 1e-12);
  return cases;
}
INSTANTIATE_TEST_SUITE_P(DomainWall, Complements, testing::ValuesIn(domain_wall()), test::name_of_case);

}  // namespace
}  // namespace plaq

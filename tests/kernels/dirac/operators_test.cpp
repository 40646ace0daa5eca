// All operators on the full lattice in every storage: against the slow reference on one rank, and from there
// bit by bit on every process grid, with forced partitions, in batches and with masks.
#include <gtest/gtest.h>

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq::operators_test {
namespace {

using test::Clover, test::Gauge, test::OperatorCases, test::Wall;

class Operators : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Operators, AreTheReferencesWithTheSameBitsOnEveryGridAndInEveryBatch) {
  test::expect_images(GetParam().make());
}

// Storages that come to several ranks change from case to case.
OperatorCases numbered(OperatorCases cases) {
  for (std::size_t i = 0; i < cases.size(); ++i)
    cases[i].make = [make = cases[i].make, i] {
      auto p = make();
      p.turn = static_cast<int>(i);
      return p;
    };
  return cases;
}

OperatorCases wilson() {
  OperatorCases cases;
  const auto add = [&](const Extents& extents, Clover clover, Gauge links = Gauge::random, double mu = 0) {
    cases.push_back({to_string(extents) + "_" + test::name_of(clover) +
                         (links == Gauge::temporal ? "_temporal" : "") + (mu != 0 ? "_twisted" : ""),
                     [=] {
                       auto p = test::make_wilson(extents, clover, links, mu);
                       p.rotated_parity = clover == Clover::anisotropic ? 0 : 1;
                       auto op = test::wilson_operator(p);
                       if (extents[1] == 12)
                         op.bounds = test::times(1.25, op.bounds);  // of more links some are worse
                       return op;
                     }});
  };
  add({4, 4, 4, 8}, Clover::none);
  add({4, 4, 2, 8}, Clover::anisotropic);
  add({2, 2, 2, 2}, Clover::isotropic);
  add({6, 2, 10, 4}, Clover::none);
  add({6, 6, 2, 4}, Clover::anisotropic);
  add({4, 2, 2, 6}, Clover::exponential);
  add({8, 12, 4, 6}, Clover::none);
  add({4, 4, 4, 8}, Clover::none, Gauge::temporal);
  add({4, 2, 2, 6}, Clover::anisotropic, Gauge::temporal);
  add({2, 2, 2, 4}, Clover::isotropic, Gauge::temporal);
  add({6, 2, 10, 4}, Clover::none, Gauge::temporal);
  add({2, 2, 2, 2}, Clover::none, Gauge::temporal);
  add({4, 4, 2, 4}, Clover::none, Gauge::random, 0.37);
  add({2, 6, 4, 2}, Clover::anisotropic, Gauge::random, -0.8);
  add({4, 2, 2, 4}, Clover::exponential, Gauge::temporal, 0.21);
  const auto add_dirichlet = [&](const Extents& extents, Clover clover, Gauge links) {
    cases.push_back({to_string(extents) + "_" + test::name_of(clover) +
                         (links == Gauge::temporal ? "_temporal" : "") + "_dirichlet",
                     [=] {
                       auto p = test::make_wilson(extents, clover, links);
                       test::set_boundary(p, {-1, 1, 1, 0});
                       return test::wilson_operator(p);
                     }});
  };
  add_dirichlet({4, 4, 2, 8}, Clover::anisotropic, Gauge::random);
  add_dirichlet({2, 2, 2, 2}, Clover::none, Gauge::random);
  add_dirichlet({4, 2, 2, 6}, Clover::none, Gauge::temporal);
  add_dirichlet({2, 6, 4, 4}, Clover::exponential, Gauge::temporal);
  return numbered(cases);
}
INSTANTIATE_TEST_SUITE_P(Wilson, Operators, testing::ValuesIn(wilson()), test::name_of_case);

OperatorCases staggered() {
  OperatorCases cases;
  const auto add = [&](const Extents& extents, bool improved) {
    cases.push_back({to_string(extents) + (improved ? "_improved" : ""), [=] {
                       auto p = test::make_staggered(extents, improved);
                       p.rotated_parity = extents[0] == 4 ? 0 : 1;
                       return test::staggered_operator(p);
                     }});
  };
  for (const Extents& extents :
       {Extents{4, 4, 4, 8}, Extents{2, 2, 2, 2}, Extents{6, 2, 10, 4}, Extents{8, 6, 2, 4}})
    add(extents, false);
  for (const Extents& extents : {Extents{8, 4, 4, 8}, Extents{4, 6, 12, 4}, Extents{2, 8, 2, 8},
                                 Extents{10, 4, 8, 2}, Extents{2, 2, 2, 2}})
    add(extents, true);
  return numbered(cases);
}
INSTANTIATE_TEST_SUITE_P(Staggered, Operators, testing::ValuesIn(staggered()), test::name_of_case);

OperatorCases domain_wall() {
  OperatorCases cases;
  const auto add = [&](const Extents& extents, Wall wall, int n_s, int batch = 3) {
    cases.push_back({to_string(extents) + "_" + test::name_of(wall) + "_" + std::to_string(n_s), [=] {
                       auto p = test::wall_operator(test::make_wall_problem(extents, wall, n_s, 0));
                       p.batch = batch;
                       if (n_s > 64) p.bounds = {{Precision::double_precision, 18, 1e-14, 1e-14}};
                       return p;
                     }});
  };
  add({4, 4, 4, 4}, Wall::shamir, 4);
  add({4, 2, 2, 6}, Wall::borici, 5);
  add({4, 4, 2, 4}, Wall::moebius, 8);
  add({2, 2, 2, 4}, Wall::optimal, 7);
  add({6, 2, 2, 4}, Wall::general, 4);
  add({2, 2, 2, 2}, Wall::general, 3);
  add({2, 4, 2, 4}, Wall::steep, 5);
  add({4, 2, 2, 2}, Wall::moebius, 1);
  add({2, 2, 4, 2}, Wall::shamir, 2);
  add({2, 2, 2, 2}, Wall::alike, 6);
  add({4, 2, 4, 2}, Wall::anisotropic, 4);
  cases = numbered(cases);
  // More slices than one launch has right-hand sides: 512 subfields.
  add({2, 2, 2, 4}, Wall::moebius, 65, 2);
  add({2, 2, 2, 4}, Wall::optimal, 100, 2);
  add({2, 2, 2, 4}, Wall::shamir, 256, 2);
  return cases;
}
INSTANTIATE_TEST_SUITE_P(DomainWall, Operators, testing::ValuesIn(domain_wall()), test::name_of_case);

}  // namespace
}  // namespace plaq::operators_test

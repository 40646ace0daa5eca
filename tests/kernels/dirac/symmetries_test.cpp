// Properties that every operator must have: adjoints, gamma5 hermiticity, gauge
// covariance; and what they refuse.
#include <gtest/gtest.h>

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/operators/staggered.hpp"
#include "tests/support/operators/wilson.hpp"
#include "tests/support/world.hpp"

namespace plaq {
namespace {

using test::Clover, test::OperatorCases, test::OperatorProblem, test::SymmetryBound, test::Wall;
using Form = WilsonSchur::Form;

constexpr auto wide = Precision::double_precision, single = Precision::single_precision;

test::StaggeredProblem massless(const Extents& extents, bool improved) {
  auto p = test::make_staggered(extents, improved);
  test::set_mass(p, 0);
  return p;
}

OperatorProblem wilson(const Extents& extents, Clover clover) {
  return test::wilson_operator(test::make_wilson(extents, clover));
}
OperatorProblem staggered(const Extents& extents, bool improved) {
  return test::staggered_operator(test::make_staggered(extents, improved, {1, -1, 1, -1}));
}
OperatorProblem walls(const Extents& extents, Wall wall, int n_s) {
  return test::wall_operator(test::make_wall_problem(extents, wall, n_s, 0));
}

class Symmetries : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Symmetries, AdjointGamma5AndGauge) {
  const OperatorProblem p = GetParam().make();
  test::expect_adjoint(p);
  const bool clover = GetParam().name.starts_with("clover"), colors = p.shape.spins == 1;
  const double in_double = colors ? 3e-14 : clover ? 2e-15 : 4e-15, in_single = colors ? 1e-5 : 2e-6;
  std::vector<SymmetryBound> bounds{{{wide, 18}, in_double},
                                    {{wide, 8}, colors || clover ? in_double : 5e-14}};
  if (clover) bounds.push_back({{wide, 12}, in_double});
  if (!clover) bounds.push_back({{single, 18}, in_single});
  if (colors) bounds.push_back({{single, 8}, in_single});
  if (p.gamma5) test::expect_gamma5_hermiticity(p, bounds);
  if (clover) bounds[1].most = 4e-14;
  if (p.turned) test::expect_gauge_covariance(p, bounds);
}

OperatorCases cases() {
  return {{"wilson",
           [] {
             return wilson({4, 4, 4, 8}, Clover::none);
           }},
          {"clover_isotropic",
           [] {
             return wilson({4, 2, 6, 8}, Clover::isotropic);
           }},
          {"clover_anisotropic",
           [] {
             return wilson({4, 2, 6, 8}, Clover::anisotropic);
           }},
          {"staggered_4x4x2x6",
           [] {
             return staggered({4, 4, 2, 6}, false);
           }},
          {"staggered_2x2x2x2",
           [] {
             return staggered({2, 2, 2, 2}, false);
           }},
          {"improved_4x8x4x8",
           [] {
             return staggered({4, 8, 4, 8}, true);
           }},
          {"improved_2x4x2x8",
           [] {
             return staggered({2, 4, 2, 8}, true);
           }},
          {"massless_4x4x2x6",
           [] {
             return test::staggered_operator(massless({4, 4, 2, 6}, false));
           }},
          {"massless_improved_4x8x4x8",
           [] {
             return test::staggered_operator(massless({4, 8, 4, 8}, true));
           }},
          {"shamir",
           [] {
             return walls({4, 2, 4, 4}, Wall::shamir, 5);
           }},
          {"general", [] {
             return walls({4, 2, 2, 4}, Wall::general, 4);
           }}};
}
INSTANTIATE_TEST_SUITE_P(Of, Symmetries, testing::ValuesIn(cases()), test::name_of_case);

class ComplementSymmetries : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(ComplementSymmetries, AdjointAndGamma5) {
  const OperatorProblem p = GetParam().make();
  test::expect_adjoint(p);
  if (p.gamma5) test::expect_gamma5_hermiticity(p, {{{wide, 18}, 4e-15}});
}
OperatorCases complements() {
  const auto wilson = [](Clover clover, int parity, Form form) {
    return test::wilson_complement(test::make_wilson({4, 2, 6, 4}, clover), parity, form);
  };
  return {{"wilson_symmetric", [=] { return wilson(Clover::none, 0, Form::symmetric); }},
          {"wilson_asymmetric", [=] { return wilson(Clover::none, 1, Form::asymmetric); }},
          {"clover_symmetric", [=] { return wilson(Clover::anisotropic, 1, Form::symmetric); }},
          {"clover_asymmetric", [=] { return wilson(Clover::anisotropic, 0, Form::asymmetric); }},
          {"moebius", [] {
             return test::wall_complement(test::make_wall_problem({4, 2, 2, 4}, Wall::moebius, 4, 0), 0);
           }}};
}
INSTANTIATE_TEST_SUITE_P(Of, ComplementSymmetries, testing::ValuesIn(complements()), test::name_of_case);

// S = S^dagger to the last bit, in every storage.
TEST(StaggeredComplement, IsHermitian) {
  for (const bool improved : {false, true})
    for (const int parity : {0, 1}) {
      const auto p = test::staggered_complement(test::make_staggered({4, 4, 4, 8}, improved), parity);
      std::vector<SymmetryBound> exact;
      for (const auto& bound : p.bounds) exact.push_back({bound.storage(), 0});
      test::expect_adjoint(p);
      test::expect_gamma5_hermiticity(p, exact);
      const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
      const auto a = p.make({self, self.geometry(p.extents), {}, Queue(Location::host)});
      EXPECT_EQ(dynamic_cast<SchurOperator&>(*a).residual_scale(), 1 / 0.37);
    }
}

class Refusals : public testing::TestWithParam<test::OperatorCase> {};
TEST_P(Refusals, WrongFields) { test::expect_refusals(GetParam().make()); }
INSTANTIATE_TEST_SUITE_P(Of, Refusals, testing::ValuesIn(cases()), test::name_of_case);
INSTANTIATE_TEST_SUITE_P(OfComplement, Refusals, testing::ValuesIn(complements()), test::name_of_case);

// M^dagger = -M where the mass is 0.
TEST(MasslessStaggered, IsAntiHermitian) {
  for (const auto& [extents, improved] :
       {std::pair{Extents{4, 4, 2, 6}, false}, std::pair{Extents{2, 2, 2, 2}, false},
        std::pair{Extents{4, 8, 4, 8}, true}, std::pair{Extents{2, 4, 2, 8}, true}}) {
    auto p = test::staggered_operator(massless(extents, improved));
    const auto v = test::random_vectors(p, 2);
    test::for_fitting_geometries(p, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
      const auto a = p.make({grid, g, {}, Queue(location), 2});
      const Field in = p.field(v, g, Subset::full, wide, location);
      auto minus = test::to_vectors(test::applied(*a, in));
      for (auto& one : minus)
        for (auto& z : one) z = -z;
      EXPECT_LE(test::deviation(test::applied(*a, in, true), p.columns(minus)).most(), 0);
    });
  }
}

}  // namespace
}  // namespace plaq

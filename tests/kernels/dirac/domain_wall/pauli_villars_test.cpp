// The product of a domain-wall operator with the adjoint of its Pauli-Villars operator against the
// reference's D'(1)^dagger D'(m), D' = S1 D S2; its parts; and its residuals that the even-odd form has.
#include "kernels/dirac/domain_wall/pauli_villars.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/world.hpp"

namespace plaq::pauli_villars_test {
namespace {

using test::OperatorCases, test::OperatorProblem, test::Vector, test::Vectors, test::Wall;

constexpr Precision wide = Precision::double_precision;

class Products : public testing::TestWithParam<test::OperatorCase> {};

TEST_P(Products, AreTheReferencesWithTheSameBitsOnEveryGridAndInEveryBatch) {
  test::expect_images(GetParam().make());
}

TEST_P(Products, AreTheSumsOfTheirParts) { test::expect_parts(GetParam().make()); }

// Eight reals are in another gauge.
TEST_P(Products, AreGaugeCovariant) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  test::expect_gauge_covariance(GetParam().make(), {{{wide, 18}, 2e-14}, {{wide, 8}, 1e-13}});
}

OperatorCases cases() {
  OperatorCases cases;
  const auto add = [&](const Extents& extents, Wall wall, int n_s) {
    const int turn = static_cast<int>(cases.size());
    cases.push_back({to_string(extents) + "_" + test::name_of(wall) + "_" + std::to_string(n_s), [=] {
                       auto problem = test::make_wall_problem(extents, wall, n_s, 0);
                       problem.rotated_parity = turn % 2;
                       auto p = test::wall_product(problem);
                       p.turn = turn;
                       return p;
                     }});
  };
  add({4, 4, 4, 4}, Wall::shamir, 4);
  add({4, 2, 2, 6}, Wall::borici, 4);
  add({6, 2, 2, 4}, Wall::moebius, 5);
  add({2, 2, 2, 2}, Wall::general, 3);
  add({2, 4, 2, 4}, Wall::optimal, 2);
  add({4, 2, 2, 2}, Wall::moebius, 1);
  add({4, 2, 4, 2}, Wall::anisotropic, 3);
  add({6, 2, 6, 8}, Wall::moebius, 2);
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Of, Products, testing::ValuesIn(cases()), test::name_of_case);

// Steps of one and of two in a direction, and of one in each of two directions.
TEST(PauliVillarsProduct, HasHopsToNeighboursOfNeighbours) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto problem = test::make_wall_problem({4, 2, 2, 2}, Wall::shamir, 2, 0);
  const PauliVillarsProduct a(
      test::make_hopping(problem, {self, self.geometry({4, 2, 2, 2}), {wide, 18}, Queue(Location::host)}),
      problem.ours);
  EXPECT_EQ(a.offsets().size(), 41u);
  EXPECT_EQ(a.chiralities(), 1);
  for (const Offset& offset : a.offsets()) {
    int steps = 0;
    for (const int step : offset) steps += std::abs(step);
    EXPECT_LE(steps, 2) << to_string(offset);
  }
  test::expect_refusals(test::wall_product(problem));
  // The Pauli-Villars operator of odd Ls has no even-odd form where sigma = omega.
  const auto odd = test::make_wall_problem({2, 2, 2, 2}, Wall::borici, 3, 0);
  const auto hopping =
      test::make_hopping(odd, {self, self.geometry({2, 2, 2, 2}), {wide, 18}, Queue(Location::host)});
  test::expect_error([&] { PauliVillarsProduct(hopping, odd.ours); }, ErrorKind::job_file, {"is singular"});
}

struct Case {
  std::string name;
  Extents extents;
  Wall wall;
  int n_s, parity;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Residuals : public testing::TestWithParam<Case> {
 protected:
  const Case& c_ = GetParam();
  static constexpr int batch = 3;
  test::WallProblem problem() const {
    auto p = test::make_wall_problem(c_.extents, c_.wall, c_.n_s, 0);
    p.rotated_parity = 1 - c_.parity;
    return p;
  }
};

// D'(1)^dagger r of a residual r on a parity, on both parities; masked right-hand sides keep what they have.
TEST_P(Residuals, AreThoseOfTheProduct) {
  const test::WallProblem p = problem(), heavy = test::at_mass_one(p);
  const OperatorProblem shape = test::wall_complement(p, c_.parity);
  const Vectors v = random_vectors(shape, batch, 61);
  Vectors expected;
  for (const Vector& r : v)
    expected.push_back(test::scaled_wall(heavy, test::only(r, shape, c_.parity), true));
  test::for_fitting_geometries(shape, [&](const ProcessGrid& grid, const GeometryPtr& g, Location where) {
    for (const auto& [precision, most] :
         {std::pair{wide, 2e-14}, {Precision::single_precision, 5e-6}, {Precision::half_precision, 1e-3}}) {
      PauliVillarsSchur s(test::make_hopping(p, {grid, g, {precision, 18}, Queue(where)}), p.ours, c_.parity,
                          batch);
      const Field r = shape.field(v, g, subset_of(c_.parity), precision, where);
      ASSERT_EQ(s.residual_sites(), Subset::full);
      ASSERT_FALSE(s.residual_is_full());
      Field out = shape.field(Vectors(v.rbegin(), v.rend()), g, Subset::full, precision, where);
      const Vectors before = test::to_vectors(out);
      s.full_residual(out, r, ActiveSet(std::vector<char>{0, 1, 1}));
      s.queue().synchronize();
      EXPECT_EQ(test::to_vectors(out)[0], before[0]) << name_of(precision);
      s.full_residual(out, r, ActiveSet(batch));
      s.queue().synchronize();
      EXPECT_LT(test::deviation(out, shape.columns(expected)).most(), most) << name_of(precision);
    }
  });
}

// A x = full_residual(C x') of the x that x' on a parity is completed to: a solution of C is one of A.
TEST_P(Residuals, AreThoseOfCompletedVectors) {
  const test::WallProblem p = problem();
  const OperatorProblem shape = test::wall_complement(p, c_.parity);
  const Vectors v = random_vectors(shape, batch, 62);
  test::for_fitting_geometries(shape, [&](const ProcessGrid& grid, const GeometryPtr& g, Location where) {
    const auto hopping = test::make_hopping(p, {grid, g, {wide, 18}, Queue(where)});
    PauliVillarsSchur s(hopping, p.ours, c_.parity, batch);
    PauliVillarsProduct a(hopping, p.ours);
    const Field here = shape.field(v, g, subset_of(c_.parity), wide, where);
    Field x(g, a.spec(batch)), ax(g, a.spec(batch)), residual(g, a.spec(batch)), image(g, here.spec());
    s.reconstruct(x, here, residual);
    a.apply(ax, x);
    s.apply(image, here);
    s.full_residual(residual, image, ActiveSet(batch));
    s.queue().synchronize();
    EXPECT_LT(test::deviation(ax, shape.columns(test::to_vectors(residual))).most(), 2e-14);
    // The form is that of D' alone.
    DomainWallSchur plain(hopping, p.ours, c_.parity, batch);
    for (const bool dagger : {false, true})
      EXPECT_EQ(test::to_vectors(test::applied(s, here, dagger)),
                test::to_vectors(test::applied(plain, here, dagger)));
  });
}

const Case residual_cases[] = {
    {"Shamir", {4, 2, 4, 4}, Wall::shamir, 4, 0},           {"Odd", {4, 2, 4, 4}, Wall::general, 3, 1},
    {"OneSlice", {2, 4, 2, 4}, Wall::moebius, 1, 0},        {"Moebius", {6, 2, 2, 4}, Wall::moebius, 5, 0},
    {"Anisotropic", {4, 2, 2, 6}, Wall::anisotropic, 3, 0}, {"TwoSites", {2, 2, 2, 2}, Wall::optimal, 4, 1},
};
INSTANTIATE_TEST_SUITE_P(Of, Residuals, testing::ValuesIn(residual_cases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace plaq::pauli_villars_test

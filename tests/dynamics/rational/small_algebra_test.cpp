// Eigenvectors of symmetric matrices and roots of polynomials, in double and long double.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/rational/polynomial.hpp"
#include "dynamics/rational/symmetric_eigen.hpp"

namespace plaq {
namespace {

template <class Number>
class SmallAlgebra : public testing::Test {};
using NumberTypes = testing::Types<double, long double>;
TYPED_TEST_SUITE(SmallAlgebra, NumberTypes);

template <class Number>
double epsilons(double count) {
  return count * static_cast<double>(std::numeric_limits<Number>::epsilon());
}

template <class Number>
std::vector<std::vector<Number>> some_matrix() {
  const std::size_t n = 9;
  std::vector<std::vector<Number>> m(n, std::vector<Number>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      m[i][j] = m[j][i] = std::cos(Number(3 * i + j * j)) + (i == j ? Number(i) : 0);
  return m;
}

TYPED_TEST(SmallAlgebra, Eigenvectors) {
  using Number = TypeParam;
  const auto m = some_matrix<Number>();
  const std::size_t n = m.size();
  const auto [values, vectors] = symmetric_eigen(m);
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t i = 0; i < n; ++i) {
      Number product = -values[e] * vectors[e][i], overlap = e == i ? -1 : 0;
      for (std::size_t j = 0; j < n; ++j) {
        product += m[i][j] * vectors[e][j];
        overlap += vectors[e][j] * vectors[i][j];
      }
      EXPECT_NEAR(static_cast<double>(product), 0, epsilons<Number>(100));
      EXPECT_NEAR(static_cast<double>(overlap), 0, epsilons<Number>(100));
    }
}

TYPED_TEST(SmallAlgebra, RefinedEigenvectors) {
  using Number = TypeParam;
  const auto m = some_matrix<Number>();
  const std::size_t n = m.size();
  const auto [values, vectors] = symmetric_eigen(m);
  for (std::size_t e = 0; e < n; ++e) {
    std::vector<Number> rough;
    for (const Number& one : vectors[e]) rough.push_back(std::round(1000 * one) / 1000);
    const auto found = refined(m, rough);
    ASSERT_TRUE(found.has_value()) << e;
    EXPECT_NEAR(static_cast<double>(found->value - values[e]), 0, epsilons<Number>(100));
    const Number sign = found->vector[0] * vectors[e][0] > 0 ? 1 : -1;
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(static_cast<double>(sign * found->vector[i] - vectors[e][i]), 0, epsilons<Number>(200));
  }
}

TYPED_TEST(SmallAlgebra, Equations) {
  using Number = TypeParam;
  const auto x = solve_by_elimination<Number>({{0, 2, 1}, {1, 1, 1}, {4, -1, 2}}, {7, 6, 8});  // of 1, 2, 3
  ASSERT_TRUE(x.has_value());
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(static_cast<double>((*x)[i] - static_cast<Number>(i + 1)), 0, epsilons<Number>(20));
  EXPECT_FALSE(solve_by_elimination<Number>({{1, 2}, {2, 4}}, {1, 2}).has_value());
}

// The matrix with 2 on the diagonal and -1 beside it.
TYPED_TEST(SmallAlgebra, KnownEigenvalues) {
  using Number = TypeParam;
  const std::size_t n = 6;
  std::vector<std::vector<Number>> m(n, std::vector<Number>(n, 0));
  for (std::size_t i = 0; i < n; ++i) m[i][i] = 2;
  for (std::size_t i = 1; i < n; ++i) m[i][i - 1] = m[i - 1][i] = -1;
  auto values = symmetric_eigen(m).values;
  std::sort(values.begin(), values.end());
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(static_cast<double>(values[k] - 2 + 2 * std::cos(Number(k + 1) * std::acos(Number(-1)) / 7)),
                0, epsilons<Number>(100));
}

TYPED_TEST(SmallAlgebra, Interpolation) {
  using Number = TypeParam;
  const auto p = Polynomial<Number>::through({0, 1, 3, 4}, {7, 4, 4, 19});  // x^3 - 3x^2 - x + 7
  const std::vector<Number> expected{7, -1, -3, 1};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(static_cast<double>(p.c[i] - expected[i]), 0, epsilons<Number>(50));
  const auto at = p.at(2);
  EXPECT_NEAR(static_cast<double>(at.value - 1), 0, epsilons<Number>(50));
  EXPECT_NEAR(static_cast<double>(at.first + 1), 0, epsilons<Number>(50));
  EXPECT_NEAR(static_cast<double>(at.half_second - 3), 0, epsilons<Number>(50));
}

TYPED_TEST(SmallAlgebra, NegativeRoots) {
  using Number = TypeParam;
  Polynomial<Number> p{{3}};
  const std::vector<Number> roots{-1e-6L, -2e-3L, -0.5L, -7, -900};
  for (const Number& root : roots) {
    Polynomial<Number> next{std::vector<Number>(p.c.size() + 1, Number(0))};
    for (std::size_t i = 0; i < p.c.size(); ++i) {
      next.c[i + 1] += p.c[i];
      next.c[i] -= root * p.c[i];
    }
    p = next;
  }
  const auto found = p.negative_roots();
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i)
    EXPECT_NEAR(static_cast<double>((*found)[i] / roots[i] - 1), 0, epsilons<Number>(50)) << i;
}

TYPED_TEST(SmallAlgebra, OtherRoots) {
  using Number = TypeParam;
  EXPECT_FALSE((Polynomial<Number>{{1, 1, 1}}).negative_roots().has_value());      // complex
  EXPECT_FALSE((Polynomial<Number>{{2, 3, 3, 1}}).negative_roots().has_value());   // -2, two complex
  EXPECT_FALSE((Polynomial<Number>{{-6, 1, 4, 1}}).negative_roots().has_value());  // 1, -2, -3
  EXPECT_FALSE((Polynomial<Number>{{0, 1, 1}}).negative_roots().has_value());      // 0
  EXPECT_TRUE((Polynomial<Number>{{6, 11, 6, 1}}).negative_roots().has_value());   // -1, -2, -3
}

}  // namespace
}  // namespace plaq

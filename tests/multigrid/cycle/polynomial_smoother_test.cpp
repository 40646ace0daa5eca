// Polynomial smoothers by their formula, and the fit of their roots against least squares and GCR.
#include "multigrid/cycle/polynomial_smoother.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/system/error.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "multigrid/cycle/polynomial_roots.hpp"
#include "solvers/krylov/gcr.hpp"
#include "solvers/normal_operator.hpp"
#include "tests/solvers/plain_vectors.hpp"
#include "tests/solvers/test_operators.hpp"
#include "tests/solvers/wilson_system.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq::polynomial_smoother_test {
namespace {

using test::Complex64;
using Roots = std::vector<Complex64>;
constexpr Extents extents{4, 4, 4, 8};
const Roots some_roots{{4.5, 0.3}, {4.5, -0.3}, {1.5, 0}, {2.5, 1.3}, {2.5, -1.3}};

Complex64 eigenvalue(int site, int k) {
  return {1 + std::fmod((12 * site + k) * 0.618, 1.0), 0.5 * std::sin(site)};
}

test::DiagonalOperator diagonal(const ProcessGrid& grid, const test::DiagonalOperator::Eigenvalue& value) {
  return {grid.geometry(extents), Precision::double_precision, Queue(Location::host), value};
}
Field source(LinearOperator& a, int batch) {
  return test::to_plaq(test::random_sources(extents, batch), a.geometry(), Subset::full,
                       Precision::double_precision, Location::host);
}

// r becomes p(A) b, x becomes A^-1 (1 - p(A)) b. Nobody waits.
TEST(PolynomialSmoother, TakesItsStepsByThePlainFormula) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  auto a = diagonal(self, eigenvalue);
  const Field b = source(a, 2);
  for (const Roots& roots : {some_roots, Roots{2.0}}) {
    PolynomialSmoother smoother(a, self, 2, roots);
    Field x(a.geometry(), b.spec()), r(a.geometry(), b.spec()), inverse(a.geometry(), b.spec());
    copy(r, b);
    smoother.smooth(x, r, ActiveSet(2));
    EXPECT_EQ(smoother.batch().waits(), 0);
    EXPECT_EQ(smoother.batch().done().inner.calls, static_cast<std::int64_t>(roots.size()));
    smoother.apply(inverse, b);
    EXPECT_EQ(test::to_vectors(inverse), test::to_vectors(x));
    for (int rhs = 0; rhs < 2; ++rhs) {
      test::Vector plain_r = test::plain(b, rhs), plain_x = plain_r;
      for (std::size_t i = 0; i < plain_r.size(); ++i) {
        const Complex64 lambda = eigenvalue(static_cast<int>(i / 12), static_cast<int>(i % 12));
        Complex64 p = 1;
        for (const Complex64& root : roots) p *= 1.0 - lambda / root;
        plain_x[i] *= (1.0 - p) / lambda;
        plain_r[i] *= p;
      }
      EXPECT_LT(test::distance(test::plain(x, rhs), plain_x), 1e-13);
      EXPECT_LT(test::distance(test::plain(r, rhs), plain_r), 1e-13);
    }
  }
}

// Eigenvalues on all sides of 0.
Complex64 indefinite_eigenvalue(int site, int k) {
  return std::polar(0.5 + std::fmod((12 * site + k) * 0.618, 1.0), 1.7 * site + k);
}

// With the normal operator r becomes p(A A^dagger) b, and x becomes A^-1 (1 - p(A A^dagger)) b. Roots that
// rounding has made a pair are real ones.
TEST(PolynomialSmoother, TakesStepsOfTheNormalOperatorByThePlainFormula) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  auto a = diagonal(self, indefinite_eigenvalue);
  const Field b = source(a, 2);
  for (const Roots& roots :
       {Roots{2.2, 0.6, 1.5, 0.9}, Roots{0.7}, Roots{2.0, {1.5, 1e-14}, {1.5, -1e-14}}}) {
    PolynomialSmoother smoother(a, self, 2, roots, PolynomialOf::normal_operator);
    Field x(a.geometry(), b.spec()), r(a.geometry(), b.spec()), inverse(a.geometry(), b.spec());
    copy(r, b);
    smoother.smooth(x, r, ActiveSet(2));
    EXPECT_EQ(smoother.batch().waits(), 0);
    EXPECT_EQ(smoother.batch().done().inner.calls, 2 * static_cast<std::int64_t>(roots.size()));
    const Work of_one = PolynomialSmoother(a, self, 2, {1.0}, PolynomialOf::normal_operator).work(2);
    EXPECT_EQ(smoother.work(2).flops, static_cast<double>(roots.size()) * of_one.flops);
    EXPECT_GT(of_one.flops, 2 * a.work(2).flops);
    smoother.apply(inverse, b);
    EXPECT_EQ(test::to_vectors(inverse), test::to_vectors(x));
    for (int rhs = 0; rhs < 2; ++rhs) {
      test::Vector plain_r = test::plain(b, rhs), plain_x = plain_r;
      for (std::size_t i = 0; i < plain_r.size(); ++i) {
        const Complex64 lambda = indefinite_eigenvalue(static_cast<int>(i / 12), static_cast<int>(i % 12));
        double p = 1;
        for (const Complex64& root : roots) p *= 1 - std::norm(lambda) / root.real();
        plain_x[i] *= (1 - p) / lambda;
        plain_r[i] *= p;
      }
      EXPECT_LT(test::distance(test::plain(x, rhs), plain_x), 2e-13);
      EXPECT_LT(test::distance(test::plain(r, rhs), plain_r), 2e-13);
    }
  }
}

// An operator that is not normal, the even-odd form of domain walls, by its slow reference, from a guess.
TEST(PolynomialSmoother, SmoothsDomainWallsAsTheirReference) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto walls = test::make_wall_problem({4, 2, 2, 4}, test::Wall::moebius, 3, 0);
  const auto c = test::wall_complement(walls, 0);
  const Roots roots{9.0, 2.5, 5.0};
  const test::Vectors v = random_vectors(c, 4, 31), guess{test::only(v[0], c, 0), test::only(v[1], c, 0)},
                      b{test::only(v[2], c, 0), test::only(v[3], c, 0)};
  test::Vectors x = guess, r = b, p = b;
  for (std::size_t i = 0; i < b.size(); ++i) {
    test::add(r[i], -1, c.image(guess[i], false));
    p[i] = r[i];
    for (const Complex64& root : roots)
      test::add(p[i], -1.0 / root, c.image(c.image(test::Vector(p[i]), true), false));
    for (const Complex64& root : roots) {
      test::Vector u(r[i].size());
      test::add(u, 1.0 / root, c.image(r[i], true));
      test::add(x[i], 1, u);
      test::add(r[i], -1, c.image(u, false));
    }
  }
  for (const Location where : test::locations())
    for (const auto& [precision, most] :
         {std::pair{Precision::double_precision, 1e-13}, {Precision::single_precision, 1e-4}}) {
      const auto a = c.make({self, self.geometry(c.extents), {precision, 18}, Queue(where), 2});
      const auto field = [&, precision = precision](const test::Vectors& from) {
        return c.field(from, a->geometry(), Subset::even, precision, where);
      };
      Field found_x = field(guess), found_r = field(b), image(a->geometry(), a->spec(2));
      a->apply(image, found_x);
      blas::Workspace workspace(a->queue(), 2);
      blas::update<blas::Axpy>(workspace, std::vector<blas::Coefficients>(2, {1, {-1, 0, 0, 0}}),
                               {&image, &found_r});
      PolynomialSmoother smoother(*a, self, 2, roots, PolynomialOf::normal_operator);
      smoother.smooth(found_x, found_r, ActiveSet(2));
      a->queue().synchronize();
      EXPECT_LT(test::deviation(found_x, c.columns(x)).most(), most);
      EXPECT_LT(test::deviation(found_r, c.columns(r)).most(), most);
      EXPECT_LT(test::deviation(found_r, c.columns(p)).most(), most);
      // r is still b - A x.
      a->apply(image, found_x);
      test::Vectors left = b;
      const test::Vectors ax = test::to_vectors(image);
      for (std::size_t i = 0; i < b.size(); ++i) test::add(left[i], -1, ax[i]);
      EXPECT_LT(test::deviation(found_r, c.columns(left)).most(), most);
    }
}

// What smooth() makes of the right-hand sides of a set, as bits.
using Smoothed = std::array<std::uint64_t, 2>;  // x, r
Smoothed smoothed(const ProcessGrid& grid, std::uint32_t forced, Location where, Precision precision,
                  const std::vector<reference::SpinorField>& b, const std::vector<char>& which, int looked_at,
                  PolynomialOf of) {
  test::WilsonSystem p(grid, extents, b, 0.05, 0.3, where, forced);
  LinearOperator& a = p.inner(precision);
  PolynomialSmoother smoother(a, grid, p.batch(),
                              of == PolynomialOf::itself ? some_roots : Roots{36.0, 12.0, 24.0}, of);
  Field x(p.geometry, a.spec(p.batch())), r(p.geometry, a.spec(p.batch()));
  copy(r, p.source);
  for (int n = 0; n < 3; ++n) smoother.smooth(x, r, ActiveSet(which));  // captured, and done again
  const auto at = static_cast<std::size_t>(looked_at);
  return {test::fingerprints(x, grid)[at], test::fingerprints(r, grid)[at]};
}

TEST(PolynomialSmoother, HasTheSameBitsAloneInABatchAndOnEveryGrid) {
  const auto b = test::random_sources(extents, 3);
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations())
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (const PolynomialOf of : {PolynomialOf::itself, PolynomialOf::normal_operator}) {
        const Smoothed alone = smoothed(self, 0, where, precision, {b[2]}, {1}, 0, of);
        for (const auto& ranks : allowed_grids(test::world_size(), extents)) {
          const ProcessGrid grid(MPI_COMM_WORLD, ranks);
          const std::uint32_t forced = test::world_size() == 1 ? 15u : 0u;
          EXPECT_EQ(smoothed(grid, forced, where, precision, b, {1, 1, 1}, 2, of), alone) << to_string(ranks);
          EXPECT_EQ(smoothed(grid, forced, where, precision, b, {1, 0, 1}, 2, of), alone) << to_string(ranks);
        }
        // Who is not meant is left alone: x = 0 and r = b.
        const Smoothed before = smoothed(self, 0, where, precision, {b[1]}, {0}, 0, of);
        EXPECT_EQ(smoothed(self, 0, where, precision, b, {1, 0, 1}, 1, of), before);
        EXPECT_NE(alone, before);
      }
}

TEST(PolynomialSmoother, RefusesRootsThatAreNone) {
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  auto a = diagonal(self, eigenvalue);
  for (const Roots& roots : {Roots{}, Roots{0.0}, Roots{{1, 1}}, Roots{{1, 1}, {2, -1}}})
    EXPECT_THROW(PolynomialSmoother(a, self, 1, roots), Error);
  EXPECT_THROW(PolynomialSmoother(a, self, 1, {}, PolynomialOf::normal_operator), Error);
  EXPECT_THROW(PolynomialSmoother(a, self, 1, {1.0, 0.0}, PolynomialOf::normal_operator), Error);
  PolynomialSmoother smoother(a, self, 1, some_roots);
  Field x = source(a, 1);
  EXPECT_THROW(smoother.apply_dagger(x, source(a, 1)), Error);
}

// Even-odd Wilson quarks near the critical mass, and noise for residuals.
struct Problem {
  static constexpr Extents extents{8, 4, 4, 16};
  static constexpr int batch = 8;
  test::WilsonSystem system;
  WilsonSchur s;
  Field r;

  Problem(const ProcessGrid& grid, Location where, std::uint32_t forced)
      : system(grid, extents, test::random_sources(extents, batch), -0.7, 0.3, where, forced),
        s(system.hopping[0], 0, WilsonSchur::Form::asymmetric, batch),
        r(system.geometry, s.spec(batch)) {
    copy_parity(r, system.source, 0, system.queue);
  }
};

double square(const test::Vector& v) { return std::real(test::dot(v, v)); }

// Root of the mean over right-hand sides of |r|^2 / |from|^2.
double reduction(const Field& r, const Field& from) {
  double sum = 0;
  const auto found = test::to_vectors(r), before = test::to_vectors(from);
  for (std::size_t i = 0; i < found.size(); ++i) sum += square(found[i]) / square(before[i]);
  return std::sqrt(sum / static_cast<double>(found.size()));
}

// The least that real polynomials of each degree make of it: the powers of S, and least squares by QR.
std::vector<double> least_reductions(Problem& p, int degrees) {
  const test::Vectors r = test::to_vectors(p.r);
  const auto rows = static_cast<Eigen::Index>(2 * r[0].size());
  const auto column = [&](const Field& f) {
    const test::Vectors v = test::to_vectors(f);
    Eigen::VectorXd all(rows * p.batch);
    for (std::size_t i = 0; i < v.size(); ++i)
      all.segment(static_cast<Eigen::Index>(i) * rows, rows) =
          Eigen::Map<const Eigen::VectorXd>(reinterpret_cast<const double*>(v[i].data()), rows) /
          std::sqrt(square(r[i]) * p.batch);
    return all;
  };
  const Eigen::VectorXd b = column(p.r);
  Eigen::MatrixXd powers(b.size(), degrees);
  Field from(p.r.geometry_ptr(), p.r.spec()), to(p.r.geometry_ptr(), p.r.spec());
  copy(from, p.r);
  std::vector<double> least;
  for (int k = 0; k < degrees; ++k) {
    p.s.apply(to, from);
    std::swap(from, to);
    powers.col(k) = column(from).normalized();
    const Eigen::MatrixXd some = powers.leftCols(k + 1);
    least.push_back((b - some * some.householderQr().solve(b)).norm());
  }
  return least;
}

double by_gcr(Problem& p, const ProcessGrid& grid, int steps) {
  KrylovSolver gcr(std::make_unique<Gcr>(p.s, p.batch, steps), grid, p.batch);
  SolverParameters parameters;
  parameters.max_iterations = steps;
  parameters.tolerance = 1e-30;
  Field x(p.r.geometry_ptr(), p.r.spec());
  double sum = 0;
  for (const auto& result : gcr.solve(x, p.r, parameters).results)
    sum += std::pow(result.residual_norm / result.source_norm, 2);
  return std::sqrt(sum / p.batch);
}

// They are as good as any real polynomial can be, and nearly as good as what GCR finds for each right-hand
// side alone.
TEST(PolynomialRoots, AreThoseOfTheLeastReduction) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  for (const Location where : test::locations()) {
    Problem p(self, where, 0);
    const std::vector<double> least = least_reductions(p, 8);
    for (int degree = 1; degree <= 8; ++degree) {
      const auto polynomial = polynomial_roots(p.s, self, p.r, degree);
      ASSERT_TRUE(polynomial);
      ASSERT_EQ(polynomial->roots.size(), static_cast<std::size_t>(degree));
      const double expected = least[static_cast<std::size_t>(degree) - 1];
      EXPECT_NEAR(polynomial->reduction, expected, 1e-10 * expected);
      PolynomialSmoother smoother(p.s, self, p.batch, polynomial->roots);
      Field x(p.r.geometry_ptr(), p.r.spec()), r(p.r.geometry_ptr(), p.r.spec());
      copy(r, p.r);
      smoother.smooth(x, r, ActiveSet(p.batch));
      EXPECT_NEAR(reduction(r, p.r), expected, 1e-10 * expected) << degree;
      const double gcr = by_gcr(p, self, degree);
      EXPECT_GT(expected, gcr);
      EXPECT_LT(expected, 1.05 * gcr) << degree;
    }
  }
}

// Roots of the normal operator belong to the smoother of it, which leaves what the fit says.
TEST(PolynomialRoots, OfTheNormalOperatorSmoothWhereASpectrumLiesAroundZero) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  constexpr int batch = 4;
  const auto walls = test::make_wall_problem({4, 4, 4, 4}, test::Wall::moebius, 4, 0, 0.3);
  const auto c = test::wall_complement(walls, 0);
  for (const Location where : test::locations()) {
    const auto a =
        c.make({self, self.geometry(c.extents), {Precision::double_precision, 18}, Queue(where), batch});
    const Field b = c.field(random_vectors(c, batch, 33), a->geometry(), Subset::even,
                            Precision::double_precision, where);
    NormalOperator normal(*a, batch, NormalOperator::First::adjoint);
    double before = 1;
    for (const int degree : {1, 2, 4, 8}) {
      const auto polynomial = polynomial_roots(normal, self, b, degree);
      ASSERT_TRUE(polynomial);
      PolynomialSmoother smoother(*a, self, batch, polynomial->roots, PolynomialOf::normal_operator);
      Field x(b.geometry_ptr(), b.spec()), r(b.geometry_ptr(), b.spec());
      copy(r, b);
      smoother.smooth(x, r, ActiveSet(batch));
      a->queue().synchronize();
      EXPECT_NEAR(reduction(r, b), polynomial->reduction, 1e-9 * polynomial->reduction) << degree;
      EXPECT_LT(polynomial->reduction, 0.95 * before) << degree;
      before = polynomial->reduction;
    }
  }
}

TEST(PolynomialRoots, AreTheSameOnEveryGrid) {
  const auto roots = [](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
    Problem p(grid, where, geometry->decomposition().forced);
    std::vector<double> all;
    const auto polynomial = polynomial_roots(p.s, grid, p.r, 5);
    for (const Complex64& z : polynomial->roots) all.push_back(z.real()), all.push_back(z.imag());
    return all;
  };
  const auto same = test::same_as_alone(Problem::extents, roots);
  test::for_all_geometries(Problem::extents,
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location where) {
                             const auto forced = geometry->decomposition().forced;
                             if (forced == 0 || forced == 15) same(grid, geometry, where);
                           });
}

TEST(PolynomialRoots, AreNoneWhereThereIsNoPolynomialThatSmooths) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  const auto roots = [&](const test::DiagonalOperator::Eigenvalue& value, int degree, double factor = 1) {
    auto a = diagonal(self, value);
    Field r = source(a, 2);
    for (int k = 0; k < 24; ++k) set_real(r, 1, 0, 3, k, factor * get_real(r, 1, 0, 3, k));
    return polynomial_roots(a, self, r, degree);
  };
  const auto constant = [](Complex64 z) { return [z](int, int) { return z; }; };
  EXPECT_TRUE(roots(eigenvalue, 3));
  EXPECT_FALSE(roots(constant(0.0), 1));
  EXPECT_FALSE(roots(constant(2.0), 2));  // degree 1 does it
  EXPECT_FALSE(roots(constant(-2.0), 1));
  EXPECT_FALSE(roots([](int site, int k) { return -eigenvalue(site, k); }, 3));
  EXPECT_FALSE(roots([](int site, int) { return Complex64(site % 4 == 0 ? 1 : -1, 0); }, 1));
  EXPECT_FALSE(roots(constant(std::nan("")), 2));
  EXPECT_FALSE(roots(eigenvalue, 3, std::nan("")));
  EXPECT_FALSE(roots(eigenvalue, 3, HUGE_VAL));
  const auto exact = roots(constant(2.0), 1);
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->roots[0].real(), 2, 1e-14);
  EXPECT_LT(exact->reduction, 1e-14);
}

// A residual that is 0 does not count.
TEST(PolynomialRoots, LeaveOutWhatIsZero) {
  if (test::world_size() > 1) GTEST_SKIP() << "one rank is enough";
  const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
  auto a = diagonal(self, eigenvalue);
  const Field one = source(a, 1);
  Field with_zero(a.geometry(), a.spec(2));
  EXPECT_FALSE(polynomial_roots(a, self, with_zero, 2));
  copy_subfield(with_zero, 1, one, 0);
  const auto alone = polynomial_roots(a, self, one, 4), beside = polynomial_roots(a, self, with_zero, 4);
  ASSERT_TRUE(alone && beside);
  EXPECT_EQ(beside->roots, alone->roots);
  EXPECT_EQ(beside->reduction, alone->reduction);
}

}  // namespace
}  // namespace plaq::polynomial_smoother_test

// Complex numbers, SU(3) and spin algebra against the reference's matrices, for scalars and lanes of both
// precisions.

#include "core/algebra/spinor.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/gauge.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

using Z = std::complex<double>;

template <class R>
double some_lane(const R& x) {
  if constexpr (requires { x[0]; }) return static_cast<double>(x[R::width - 1]);
  return 0;
}
inline double some_lane(float x) { return static_cast<double>(x); }
inline double some_lane(double x) { return x; }

template <class R>
class Algebra : public testing::Test {
 public:
  using T = typename ScalarOf<R>::type;
  static constexpr double tolerance = sizeof(T) == 4 ? 4e-6 : 1e-14;
  reference::Generator generator{9};

  static R real(double x) { return R(static_cast<T>(x)); }
  static Complex<R> ours(Z z) { return {real(z.real()), real(z.imag())}; }
  static Z theirs(const Complex<R>& z) { return {some_lane(z.re), some_lane(z.im)}; }
  static Matrix3<R> ours(const reference::ColorMatrix& u) {
    Matrix3<R> m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m.e[i][j] = ours(u(i, j));
    return m;
  }
  static reference::ColorMatrix theirs(const Matrix3<R>& m) {
    reference::ColorMatrix u;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) u(i, j) = theirs(m.e[i][j]);
    return u;
  }
  static Spinor<R> ours(const reference::Spinor& psi) {
    Spinor<R> s;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t c = 0; c < 3; ++c) s.s[a].c[c] = ours(psi[a][c]);
    return s;
  }

  Z z() { return reference::normal(generator); }
  reference::ColorMatrix matrix() {
    reference::ColorMatrix m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = z();
    return m;
  }
  reference::Spinor spinor() { return reference::random_spinor({{1, 1, 1, 1}}, generator)[0]; }

  static void expect_near(Z got, Z expected) { EXPECT_LE(std::abs(got - expected), 8 * tolerance); }
  static void expect_near(const Complex<R>& got, Z expected) { expect_near(theirs(got), expected); }
  static void expect_near(const Matrix3<R>& got, const reference::ColorMatrix& expected) {
    EXPECT_LE(reference::max_difference(theirs(got), expected), 8 * tolerance);
  }
  static void expect_near(const Spinor<R>& got, const reference::Spinor& expected) {
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t c = 0; c < 3; ++c) expect_near(got.s[a].c[c], expected[a][c]);
  }
};
using Kinds =
    testing::Types<float, double, Lanes<float, host_vector_bytes / 4>, Lanes<double, host_vector_bytes / 8>>;
TYPED_TEST_SUITE(Algebra, Kinds);

TYPED_TEST(Algebra, ComplexNumbers) {
  for (int round = 0; round < 100; ++round) {
    const Z za = this->z(), zb = this->z(), zc = this->z();
    const double x = this->z().real();
    const auto a = this->ours(za), b = this->ours(zb), c = this->ours(zc);
    const auto s = this->real(x);
    this->expect_near(a + b, za + zb);
    this->expect_near(a - b, za - zb);
    this->expect_near(-a, -za);
    this->expect_near(conj(a), std::conj(za));
    this->expect_near(a * b, za * zb);
    this->expect_near(conj_times(a, b), std::conj(za) * zb);
    this->expect_near(fma(a, b, c), za * zb + zc);
    this->expect_near(conj_fma(a, b, c), std::conj(za) * zb + zc);
    this->expect_near(fma(s, a, c), x * za + zc);
    this->expect_near(fma_i(s, a, c), Z(0, x) * za + zc);
    this->expect_near(scale(s, a), x * za);
  }
}

TYPED_TEST(Algebra, Matrices) {
  for (int round = 0; round < 50; ++round) {
    const auto u = this->matrix(), v = this->matrix();
    const auto a = this->ours(u), b = this->ours(v);
    this->expect_near(a * b, u * v);
    this->expect_near(times_dagger(a, b), u * dagger(v));
    this->expect_near(dagger_times(a, b), dagger(u) * v);
    this->expect_near(a + b, u + v);
    this->expect_near(dagger(a), dagger(u));
    this->expect_near(trace(a), trace(u));
    this->expect_near(determinant(a), determinant(u));
    this->expect_near(Z(some_lane(real_trace_times_dagger(a, b)), 0), trace(u * dagger(v)).real());
    std::array<reference::Complex, 3> w{this->z(), this->z(), this->z()};
    const auto uw = u * w, udw = dagger(u) * w;
    ColorVector<TypeParam> vector;
    for (std::size_t i = 0; i < 3; ++i) vector.c[i] = this->ours(w[i]);
    const auto av = a * vector, adv = dagger_times(a, vector);
    for (std::size_t i = 0; i < 3; ++i) {
      this->expect_near(av.c[i], uw[i]);
      this->expect_near(adv.c[i], udw[i]);
    }
    const auto su3 = reference::random_su3(this->generator);
    auto rows = this->ours(su3);
    for (int i = 0; i < 3; ++i) rows.e[2][i] = this->ours(Z(round, i));
    complete_third_row(rows);
    this->expect_near(rows, su3);
  }
  this->expect_near(unit_matrix<TypeParam>(), reference::ColorMatrix::unit());
  this->expect_near(zero_matrix<TypeParam>(), reference::ColorMatrix{});
}

// psi -> (1 + sign gamma_Mu) psi, dense.
reference::Spinor projected(int mu, double sign, const reference::Spinor& psi) {
  const auto p = reference::SpinMatrix::unit() + reference::Complex(sign) * reference::gamma(mu);
  reference::Spinor out{};
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      for (std::size_t c = 0; c < 3; ++c) out[a][c] += p(a, b) * psi[b][c];
  return out;
}

template <int Mu, class R, class Fixture>
void expect_projection(Fixture& fixture) {
  for (const double sign : {1.0, -1.0}) {
    for (const double factor : {1.0, -1.0, 0.375}) {
      const auto psi = fixture.spinor(), sum = fixture.spinor();
      const auto dense = projected(Mu, sign, psi);
      const auto half = project<Mu>(fixture.ours(psi), fixture.real(sign));
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t c = 0; c < 3; ++c) fixture.expect_near(half.s[a].c[c], dense[a][c]);
      auto total = fixture.ours(sum);
      accumulate<Mu>(total, half, fixture.real(factor), fixture.real(sign * factor));
      auto expected = sum;
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t c = 0; c < 3; ++c) expected[a][c] += factor * dense[a][c];
      fixture.expect_near(total, expected);
      // With a link in between: color and spin do not mix.
      const auto u = fixture.matrix();
      auto rotated = zero_spinor<R>(), back = zero_spinor<R>();
      accumulate<Mu>(rotated, fixture.ours(u) * half, fixture.real(1), fixture.real(sign));
      accumulate<Mu>(back, dagger_times(fixture.ours(u), half), fixture.real(1), fixture.real(sign));
      for (std::size_t a = 0; a < 4; ++a) {
        const auto ud = u * dense[a], udd = dagger(u) * dense[a];
        for (std::size_t c = 0; c < 3; ++c) {
          fixture.expect_near(rotated.s[a].c[c], ud[c]);
          fixture.expect_near(back.s[a].c[c], udd[c]);
        }
      }
    }
  }
}

TYPED_TEST(Algebra, ProjectAndAccumulateAreTheDenseProjector) {
  for (int round = 0; round < 5; ++round) {
    expect_projection<0, TypeParam>(*this);
    expect_projection<1, TypeParam>(*this);
    expect_projection<2, TypeParam>(*this);
    expect_projection<3, TypeParam>(*this);
  }
}

TYPED_TEST(Algebra, CombineAndSelect) {
  const auto x = this->spinor(), y = this->spinor();
  auto expected = x;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t c = 0; c < 3; ++c) expected[a][c] = 0.7 * x[a][c] - 1.3 * y[a][c];
  this->expect_near(combine(this->real(0.7), this->ours(x), this->real(-1.3), this->ours(y)), expected);
  const auto h = project<2>(this->ours(x), this->real(1)), k = project<1>(this->ours(y), this->real(1));
  using Mask = std::conditional_t<std::is_arithmetic_v<TypeParam>, bool, std::uint32_t>;
  const auto yes = select(static_cast<Mask>(~0u), h, k), no = select(Mask(0), h, k);
  for (int a = 0; a < 2; ++a)
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(this->theirs(yes.s[a].c[c]), this->theirs(h.s[a].c[c]));
      EXPECT_EQ(this->theirs(no.s[a].c[c]), this->theirs(k.s[a].c[c]));
    }
}

// conj(a) b must be rounded as a b is when the sender of a face does it: the same operations on the same
// numbers.
TYPED_TEST(Algebra, FmaRoundsEachTermOnce) {
  using T = typename TestFixture::T;
  const T e = std::numeric_limits<T>::epsilon();
  const Complex<TypeParam> a{TypeParam(1 + e), TypeParam(T(0))}, b{TypeParam(1 - e), TypeParam(T(0))};
  const Complex<TypeParam> minus_one{TypeParam(T(-1)), TypeParam(T(0))};
  EXPECT_EQ(this->theirs(fma(a, b, minus_one)), Z(-static_cast<double>(e) * static_cast<double>(e), 0));
  EXPECT_EQ(this->theirs(a * b), Z(1, 0));
}

}  // namespace
}  // namespace plaq

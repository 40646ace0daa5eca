// Lanes do what the scalar type does, lane by lane and to the last bit.
#include "core/algebra/lanes.hpp"

#include "tests/support/test.hpp"

namespace plaq::lanes_test {
namespace {

template <class T>
using Bits = typename detail::IntOf<sizeof(T)>::type;

// Equal bits, or both NaN.
template <class T>
testing::AssertionResult same(T a, T b) {
  if (std::isnan(a) && std::isnan(b)) return testing::AssertionSuccess();
  if (__builtin_bit_cast(Bits<T>, a) == __builtin_bit_cast(Bits<T>, b)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " is not " << b;
}

// Any bits at all, many with exponents that meet, and the special ones.
template <class T>
T any_number(std::mt19937_64& generator) {
  using Limits = std::numeric_limits<T>;
  static const T special[] = {T(0),
                              -T(0),
                              T(1),
                              -T(1),
                              Limits::max(),
                              Limits::lowest(),
                              Limits::min(),
                              Limits::denorm_min(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN(),
                              Limits::epsilon(),
                              T(1) + Limits::epsilon()};
  const auto choice = generator() % 8;
  if (choice == 0) return special[generator() % std::size(special)];
  if (choice == 1) return __builtin_bit_cast(T, static_cast<Bits<T>>(generator()));
  const T mantissa = static_cast<T>(static_cast<double>(generator() >> 11) * 0x1p-53 + 0.5);
  return std::ldexp(generator() % 2 ? mantissa : -mantissa, static_cast<int>(generator() % 5) - 2);
}

template <class L>
class LanesTest : public testing::Test {
 public:
  using T = typename L::Scalar;
  static constexpr int N = L::width;
  std::mt19937_64 generator{5};

  L random(T (&values)[N]) {
    for (T& v : values) v = any_number<T>(generator);
    return L::load(values);
  }
};
// The host's vectors of both scalars, and the doubles that belong to floats (two vectors).
using Kinds = testing::Types<Lanes<float, host_vector_bytes / 4>, Lanes<double, host_vector_bytes / 8>,
                             Lanes<double, host_vector_bytes / 4>>;
TYPED_TEST_SUITE(LanesTest, Kinds);

TYPED_TEST(LanesTest, ArithmeticIsThatOfTheScalar) {
  using T = typename TypeParam::Scalar;
  for (int round = 0; round < 20000; ++round) {
    T a[TypeParam::width], b[TypeParam::width], c[TypeParam::width];
    const TypeParam x = this->random(a), y = this->random(b), z = this->random(c);
    const TypeParam sum = x + y, difference = x - y, product = x * y, quotient = x / y, minus = -x;
    const TypeParam fused = fma(x, y, z), root = sqrt(x);
    TypeParam changed = x;
    changed += y;
    changed -= z;
    changed *= y;
    for (int l = 0; l < TypeParam::width; ++l) {
      ASSERT_TRUE(same<T>(sum[l], a[l] + b[l]));
      ASSERT_TRUE(same<T>(difference[l], a[l] - b[l]));
      ASSERT_TRUE(same<T>(product[l], a[l] * b[l]));
      ASSERT_TRUE(same<T>(quotient[l], a[l] / b[l]));
      ASSERT_TRUE(same<T>(minus[l], -a[l]));
      ASSERT_TRUE(same<T>(fused[l], std::fma(a[l], b[l], c[l])));
      ASSERT_TRUE(same<T>(root[l], std::sqrt(a[l])));
      T expected = a[l] + b[l];
      expected = expected - c[l];
      expected = expected * b[l];
      ASSERT_TRUE(same<T>(changed[l], expected));
    }
  }
}

TYPED_TEST(LanesTest, FmaRoundsOnce) {
  using T = typename TypeParam::Scalar;
  const T e = std::numeric_limits<T>::epsilon();
  const TypeParam fused = fma(TypeParam(1 + e), TypeParam(1 - e), TypeParam(T(-1)));
  for (int l = 0; l < TypeParam::width; ++l)
    EXPECT_EQ(fused[l], -e * e);  // 0 when the product is rounded first
}

TYPED_TEST(LanesTest, SelectTakesEveryMask) {
  using T = typename TypeParam::Scalar;
  T yes[TypeParam::width], no[TypeParam::width];
  const TypeParam x = this->random(yes), y = this->random(no);
  const LaneMask all = static_cast<LaneMask>((std::uint64_t{1} << TypeParam::width) - 1);
  for (LaneMask mask = 0; mask <= all; ++mask) {
    const TypeParam chosen = select(mask, x, y);
    for (int l = 0; l < TypeParam::width; ++l)
      ASSERT_TRUE(same<T>(chosen[l], (mask >> l) & 1u ? yes[l] : no[l]));
    ASSERT_EQ(any(mask), mask != 0);
  }
}

TYPED_TEST(LanesTest, LoadsAndStoresAtAnyAddress) {
  using T = typename TypeParam::Scalar;
  constexpr int n = 3 * TypeParam::width;
  std::vector<T> from(n), to(n, T(-1));
  for (int i = 0; i < n; ++i) from[i] = static_cast<T>(i);
  for (int offset = 0; offset < 2 * TypeParam::width; ++offset) {
    const TypeParam x = TypeParam::load(from.data() + offset);
    for (int l = 0; l < TypeParam::width; ++l) ASSERT_EQ(x[l], static_cast<T>(offset + l));
    std::fill(to.begin(), to.end(), T(-1));
    x.store(to.data() + offset);
    for (int i = 0; i < n; ++i) {
      const bool inside = i >= offset && i < offset + TypeParam::width;
      ASSERT_EQ(to[i], inside ? static_cast<T>(i) : T(-1));
    }
  }
}

TYPED_TEST(LanesTest, SetBroadcastAndToDouble) {
  using T = typename TypeParam::Scalar;
  T values[TypeParam::width];
  const TypeParam x = this->random(values), all(values[0]);
  const auto wide = to_double(x);
  for (int l = 0; l < TypeParam::width; ++l) {
    EXPECT_TRUE(same<T>(all[l], values[0]));
    EXPECT_TRUE(same<double>(wide[l], static_cast<double>(values[l])));
    TypeParam one = x;
    one.set(l, T(7));
    for (int k = 0; k < TypeParam::width; ++k) EXPECT_TRUE(same<T>(one[k], k == l ? T(7) : values[k]));
  }
}

}  // namespace
}  // namespace plaq::lanes_test

// 16-bit fixed point: which integer a number becomes, and what comes back.
#include "core/field/fixed16.hpp"

#include "tests/support/test.hpp"

namespace plaq {
namespace {

template <class T>
class Fixed16Of : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Fixed16Of, Scalars);

TYPED_TEST(Fixed16Of, EveryIntegerComesBack) {
  using T = TypeParam;
  constexpr int W = 8;
  for (int first = -32768; first < 32768; first += W) {
    Lanes<T, W> lanes;
    for (int l = 0; l < W; ++l) {
      const int n = first + l;
      const Fixed16 stored = to_storage<Fixed16>(static_cast<T>(n));
      ASSERT_EQ(static_cast<int>(stored.bits), n + 32768);
      ASSERT_EQ(from_storage<T>(stored), static_cast<T>(n));
      ASSERT_EQ(from_storage<float>(stored), static_cast<float>(n));
      lanes.set(l, static_cast<T>(n));
    }
    Fixed16 stored[W];
    store_stored<T, W>(lanes, stored);
    const auto back = load_stored<T, W>(static_cast<const Fixed16*>(stored));
    for (int l = 0; l < W; ++l) {
      ASSERT_EQ(static_cast<int>(stored[l].bits), first + l + 32768);
      ASSERT_EQ(back[l], static_cast<T>(first + l));
    }
  }
}

// To the nearest integer, ties to the even one; lanes as scalars.
TYPED_TEST(Fixed16Of, RoundsToNearest) {
  using T = TypeParam;
  std::mt19937 generator(3);
  std::uniform_real_distribution<T> any(T(-32767), T(32767));
  for (int i = 0; i < 200000; ++i) {
    T v = any(generator);
    if (i % 4 == 1) v = std::floor(v) + T(0.5);
    if (i % 4 == 2) v = std::nextafter(std::floor(v) + T(0.5), T(0));
    const T expected = std::nearbyint(v);
    ASSERT_EQ(from_storage<T>(to_storage<Fixed16>(v)), expected) << v;
    Fixed16 stored[2];
    store_stored<T, 2>(Lanes<T, 2>(v), stored);
    ASSERT_EQ(from_storage<T>(stored[1]), expected) << v;
  }
}

TYPED_TEST(Fixed16Of, UnitIntervalHasItsEnds) {
  using T = TypeParam;
  const T steps = static_cast<T>(fixed16_steps);
  for (const T v : {T(-1), T(0), T(1)}) {
    const T back = from_storage<T>(to_storage<Fixed16>(v * steps)) * (1 / steps);
    EXPECT_NEAR(back, v, std::numeric_limits<T>::epsilon());
  }
  // A link's component may be larger than 1 by rounding.
  const T above = T(1) + 4 * static_cast<T>(std::numeric_limits<float>::epsilon());
  EXPECT_EQ(from_storage<T>(to_storage<Fixed16>(above * steps)), steps);
}

TYPED_TEST(Fixed16Of, StepsOfASite) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), infinite = std::numeric_limits<T>::infinity();
  const T smallest = static_cast<T>(fixed16_smallest), below = std::nextafter(smallest, T(0));
  const T denormal = std::numeric_limits<T>::denorm_min();
  const T most[] = {1, T(0.3), smallest, below, denormal, 0, nan, infinite, T(3e38), T(2.5e-7)};
  for (const T m : most) {
    const T steps = steps_for(m);
    EXPECT_EQ(steps_for(Lanes<T, 4>(m))[3], steps);
    if (m >= smallest) {
      EXPECT_EQ(steps, static_cast<T>(fixed16_steps) / m);
      if (m < infinite) {
        EXPECT_NEAR(m * steps, T(32767), T(0.02));
      }
      // The scale is a normal float.
      const auto site_scale = static_cast<float>(m * (T(1) / static_cast<T>(fixed16_steps)));
      EXPECT_GE(site_scale, std::numeric_limits<float>::min());
    } else {
      EXPECT_EQ(steps, 0) << m;
    }
  }
}

TYPED_TEST(Fixed16Of, LargerMagnitudeKeepsNan) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  const auto both = [](T a, T b) {
    const T scalar = larger_magnitude(a, b), lane = larger_magnitude(Lanes<T, 4>(a), Lanes<T, 4>(b))[1];
    EXPECT_TRUE(scalar == lane || (scalar != scalar && lane != lane));
    return scalar;
  };
  EXPECT_EQ(both(-3, 2), 3);
  EXPECT_EQ(both(1, 2), 2);
  EXPECT_EQ(both(0, 0), 0);
  EXPECT_TRUE(std::isnan(both(nan, 2)));
  EXPECT_TRUE(std::isnan(both(2, nan)));
  EXPECT_TRUE(std::isnan(both(-std::numeric_limits<T>::infinity(), nan)));
}

}  // namespace
}  // namespace plaq

// Division and absolute value of complex numbers of ordinary and of extreme size.
#include "core/algebra/complex_scalar.hpp"

#include "tests/support/test.hpp"

namespace plaq {
namespace {

using Wide = std::complex<long double>;

Wide wide(const ComplexDouble& z) { return {z.re, z.im}; }

TEST(ComplexScalar, DividesToRounding) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> digits(-1, 1);
  std::uniform_int_distribution<int> size(-480, 480);
  for (int i = 0; i < 20000; ++i) {
    const auto number = [&](int exponent, int other) -> ComplexDouble {
      return {std::ldexp(digits(generator), exponent), std::ldexp(digits(generator), other)};
    };
    const int above = size(generator), below = size(generator);
    // Parts of like size, or of very different ones.
    const ComplexDouble a = number(above, above + (i % 3 == 0 ? 40 : 0)),
                        b = number(below, below - (i % 5 == 0 ? 30 : 0));
    const Wide expected = wide(a) / wide(b);
    EXPECT_LE(std::abs(wide(a / b) - expected), 4e-16L * std::abs(expected)) << i;
    EXPECT_NEAR(static_cast<double>(abs(a) / std::abs(wide(a))), 1, 1e-15);
  }
  const ComplexDouble big{1e300, -1e300}, one = big / big;
  EXPECT_EQ(one.re, 1);
  EXPECT_EQ(one.im, 0);
  EXPECT_TRUE(is_nan((ComplexDouble{1, 2} / ComplexDouble{0, 0}).re));
  EXPECT_TRUE(is_zero(ComplexDouble{0, -0.0}));
  EXPECT_EQ(norm(ComplexDouble{3, 4}), 25);
}

}  // namespace
}  // namespace plaq

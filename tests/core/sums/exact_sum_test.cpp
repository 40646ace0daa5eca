#include "core/sums/exact_sum.hpp"

#include "tests/support/test.hpp"

namespace plaq {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

// Counts of bits 2^(i - 1074), carried in base 2 and rounded by the C library's reader of hexadecimal
// numbers.
class BitCounts {
 public:
  void add(double value) {
    int exponent;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
    for (int i = exponent - 53 + 1074; mantissa != 0; ++i, mantissa >>= 1)
      if (mantissa & 1) count_.at(i) += std::signbit(value) ? -1 : 1;
  }
  double round() const {
    std::vector<long> bit = count_;
    const bool negative = carry(bit) < 0;
    if (negative) {
      bit = count_;
      for (long& b : bit) b = -b;
      carry(bit);
    }
    std::string text = negative ? "-0x" : "0x";
    for (std::size_t i = bit.size(); i > 0; i -= 4)
      text += "0123456789abcdef"[bit[i - 1] * 8 + bit[i - 2] * 4 + bit[i - 3] * 2 + bit[i - 4]];
    return std::strtod((text + "p-1074").c_str(), nullptr);
  }

 private:
  static long carry(std::vector<long>& bit) {
    long over = 0;
    for (long& b : bit) {
      const long sum = b + over;
      b = sum & 1;
      over = (sum - b) / 2;
    }
    return over;
  }
  std::vector<long> count_ = std::vector<long>(2200, 0);
};

ExactSum sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (double value : values) sum.add(value);
  return sum;
}

std::vector<std::int64_t> limbs_of(const ExactSum& sum) { return {sum.limb, sum.limb + ExactSum::size}; }

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

// The digits of the values, those of one weight added first, as warps of a device do it.
ExactSum sum_of_digits(const std::vector<double>& values) {
  std::map<int, std::int64_t> digits;
  for (double value : values) {
    const Digits d = digits_of(value);
    EXPECT_TRUE(d.first >= 0 && d.first <= 78);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(d.piece[i] >= 0 && d.piece[i] >> Digits::bits == 0);
    EXPECT_TRUE(d.piece[3] >= -2 && d.piece[3] <= 1);
    for (int i = 0; i < 4; ++i) digits[d.first + i] += d.piece[i];
  }
  ExactSum sum;
  for (const auto& [digit, value] : digits) {
    int limb;
    std::int64_t piece[2];
    limbs_of_digit(digit, value, limb, piece);
    EXPECT_TRUE(limb >= 0 && limb + 1 < ExactSum::limbs);
    EXPECT_EQ(piece[0] >> 32, 0);
    for (int i = 0; i < 2; ++i) sum.limb[limb + i] += piece[i];
  }
  sum.normalize();
  return sum;
}

// Any finite double whose binary exponent lies in lowest..highest.
std::vector<double> random_values(std::mt19937_64& engine, int count, int lowest, int highest) {
  std::uniform_real_distribution<double> fraction(-1, 1);
  std::uniform_int_distribution<int> exponent(lowest, highest);
  std::vector<double> values(count);
  for (double& value : values) value = std::ldexp(fraction(engine), exponent(engine));
  return values;
}

TEST(ExactSum, AgreesWithCountedBits) {
  std::mt19937_64 engine(1);
  const int ranges[][2] = {{0, 0},         {-3, 3},      {-40, 40}, {-1100, 1023},
                           {-1100, -1000}, {1000, 1024}, {-90, -60}};
  for (auto [lowest, highest] : ranges)
    for (int trial = 0; trial < 60; ++trial) {
      const auto values = random_values(engine, 1 + trial * trial / 8, lowest, highest);
      BitCounts expected;
      for (double value : values) expected.add(value);
      ASSERT_EQ(bits_of(sum_of(values).round()), bits_of(expected.round()))
          << lowest << ' ' << highest << ' ' << trial;
    }
}

TEST(ExactSum, ReturnsSingleValuesUnchanged) {
  std::mt19937_64 engine(2);
  auto values = random_values(engine, 20000, -1074, 1024);
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    values.insert(values.end(), {power, -power, std::nextafter(power, infinity), std::nextafter(power, 0.0)});
  }
  for (double value : {largest, -largest, smallest, -smallest}) values.push_back(value);
  for (double value : values) ASSERT_EQ(sum_of({value}).round(), value);
}

TEST(ExactSum, PiecesMakeUpTheValue) {
  std::mt19937_64 engine(3);
  for (double value : random_values(engine, 20000, -1074, 1024)) {
    int first = -1;
    std::int64_t piece[3];
    split(value, first, piece);
    ASSERT_TRUE(first >= 0 && first <= 63);
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(piece[i] >= 0 && piece[i] < std::int64_t{1} << 32);
    ASSERT_LE(std::abs(piece[2]), 1 << 21);
    BitCounts remainder;
    remainder.add(-value);
    for (int i = 0; i < 3; ++i)
      remainder.add(std::ldexp(static_cast<double>(piece[i]), 32 * (first + i) - 1074));
    ASSERT_EQ(remainder.round(), 0.0) << value;
  }
}

TEST(ExactSum, DoesNotDependOnTheOrder) {
  std::mt19937_64 engine(4);
  auto values = random_values(engine, 3000, -60, 60);
  const ExactSum first = sum_of(values);
  int naive_differs = 0;
  double naive_first = 0;
  for (double value : values) naive_first += value;
  for (int trial = 0; trial < 50; ++trial) {
    std::shuffle(values.begin(), values.end(), engine);
    double naive = 0;
    for (double value : values) naive += value;
    naive_differs += naive != naive_first;
    ASSERT_EQ(limbs_of(sum_of(values)), limbs_of(first));
    ASSERT_EQ(bits_of(sum_of(values).round()), bits_of(first.round()));
  }
  EXPECT_GT(naive_differs, 0);
}

TEST(ExactSum, SurvivesCancellation) {
  EXPECT_EQ(sum_of({1e300, 1, -1e300}).round(), 1);
  EXPECT_EQ(sum_of({largest, smallest, -largest}).round(), smallest);
  EXPECT_EQ(sum_of({-largest, -smallest, largest}).round(), -smallest);
  EXPECT_EQ(sum_of({1, -std::ldexp(1, -53), -std::ldexp(1, -106)}).round(), 1 - std::ldexp(1, -53));
  std::mt19937_64 engine(5);
  auto values = random_values(engine, 1000, -1074, 1020);
  for (int i = 0; i < 1000; ++i) values.push_back(-values[i]);
  std::shuffle(values.begin(), values.end(), engine);
  EXPECT_EQ(bits_of(sum_of(values).round()), bits_of(0.0));
  values.push_back(-7e-320);
  EXPECT_EQ(sum_of(values).round(), -7e-320);
}

TEST(ExactSum, RoundsToNearestTiesToEven) {
  const double half = std::ldexp(1, -53), ulp = std::ldexp(1, -52);
  for (int exponent = -960; exponent < 960; exponent += 3) {
    const double scale = std::ldexp(exponent % 2 == 0 ? 1 : -1, exponent);
    auto check = [&](std::vector<double> values, double expected) {
      for (double& value : values) value *= scale;
      EXPECT_EQ(sum_of(values).round(), expected * scale) << exponent;
    };
    check({1, half}, 1);
    check({1, ulp, half}, 1 + 2 * ulp);
    check({1, half / 2}, 1);
    check({1, half / 2, half / 2}, 1);
    check({2 - ulp, half}, 2);  // the carry runs into the exponent
    check({1, -half}, 1 - half);
    check({1, -half / 2}, 1);
    for (int bit = -113; bit < -54; ++bit) {  // what breaks the tie, near and far
      const double little = std::ldexp(1, bit);
      check({1, half, little}, 1 + ulp);
      check({1, half, -little}, 1);
      check({1, ulp, half, -little}, 1 + ulp);
      check({1, -half / 2, -little}, 1 - half);
    }
  }
  EXPECT_EQ(sum_of({1, half, smallest}).round(), 1 + ulp);
  EXPECT_EQ(sum_of({1, half, -smallest}).round(), 1);
}

TEST(ExactSum, HandlesSubnormals) {
  const double normal = std::numeric_limits<double>::min();
  EXPECT_EQ(sum_of({smallest, smallest, smallest}).round(), 3 * smallest);
  EXPECT_EQ(sum_of({normal, -smallest}).round(), normal - smallest);
  EXPECT_EQ(sum_of({normal - smallest, smallest}).round(), normal);
  EXPECT_EQ(sum_of({-normal, -normal}).round(), -2 * normal);
  EXPECT_EQ(sum_of({2 * normal, -smallest}).round(), 2 * normal - smallest);
  EXPECT_EQ(sum_of({2 * normal, smallest}).round(), 2 * normal);  // a tie
  EXPECT_EQ(sum_of({2 * normal, smallest, smallest, smallest}).round(), 2 * normal + 4 * smallest);
}

TEST(ExactSum, Overflows) {
  const double half_ulp = std::ldexp(1, 970);
  EXPECT_EQ(sum_of({largest, largest}).round(), infinity);
  EXPECT_EQ(sum_of({-largest, -largest}).round(), -infinity);
  EXPECT_EQ(sum_of({largest, largest, -largest}).round(), largest);
  EXPECT_EQ(sum_of({largest, half_ulp}).round(), infinity);
  EXPECT_EQ(sum_of({largest, half_ulp, -smallest}).round(), largest);
  EXPECT_EQ(sum_of(std::vector<double>(5000, largest)).round(), infinity);
  EXPECT_EQ(sum_of(std::vector<double>(5000, -largest)).round(), -infinity);
  ExactSum sum = sum_of({largest});
  for (int doubling = 0; doubling < 30; ++doubling) sum.merge(ExactSum(sum));
  EXPECT_EQ(sum.round(), infinity);
}

TEST(ExactSum, PropagatesInfinitiesAndNaN) {
  EXPECT_EQ(sum_of({1, infinity, -largest}).round(), infinity);
  EXPECT_EQ(sum_of({1, -infinity, largest, -infinity}).round(), -infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, 1, -infinity}).round()));
  EXPECT_TRUE(std::isnan(sum_of({1, not_a_number, 2}).round()));
  EXPECT_TRUE(std::isnan(sum_of({infinity, -not_a_number}).round()));
  ExactSum sum = sum_of({infinity});
  sum.normalize();
  sum.merge(sum_of({-infinity}));
  EXPECT_TRUE(std::isnan(sum.round()));
}

TEST(ExactSum, ZeroIsPositive) {
  EXPECT_EQ(bits_of(ExactSum{}.round()), bits_of(0.0));
  EXPECT_EQ(bits_of(sum_of({-0.0, -0.0}).round()), bits_of(0.0));
  EXPECT_EQ(bits_of(sum_of({-1, 1}).round()), bits_of(0.0));
}

TEST(ExactSum, MergesInAnyTree) {
  std::mt19937_64 engine(6);
  const auto values = random_values(engine, 4000, -300, 300);
  ExactSum expected = sum_of(values);
  const double rounded = expected.round();
  expected.normalize();
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<ExactSum> parts(1 + engine() % 40);
    for (double value : values) parts[engine() % parts.size()].add(value);
    while (parts.size() > 1) {
      std::shuffle(parts.begin(), parts.end(), engine);
      if (engine() % 2 == 0) parts.front().normalize();
      parts.front().merge(parts.back());
      parts.pop_back();
    }
    ASSERT_EQ(bits_of(parts[0].round()), bits_of(rounded));
    parts[0].normalize();
    ASSERT_EQ(limbs_of(parts[0]), limbs_of(expected));
  }
}

TEST(ExactSum, CarriesAfterTheMostAdditions) {
  for (double value :
       {2 - std::ldexp(1, -52), -1 - std::ldexp(1, -52), -std::ldexp(1, -53), 3e-310, -largest}) {
    ExactSum sum = sum_of({value});
    std::int64_t adds = 1;
    for (; adds < ExactSum::max_adds; adds *= 2) sum.merge(ExactSum(sum));
    EXPECT_EQ(sum.round(), value * static_cast<double>(adds));
    sum.normalize();
    for (int i = 0; i < ExactSum::limbs - 1; ++i) ASSERT_EQ(sum.limb[i] >> 32, 0);
    EXPECT_EQ(sum.round(), value * static_cast<double>(adds));
    ExactSum minus = sum_of({-value});  // again, on top of a normalised sum
    for (std::int64_t n = 1; n < adds; n *= 2) minus.merge(ExactSum(minus));
    sum.merge(minus);
    EXPECT_EQ(sum.round(), 0);
  }
}

TEST(ExactSum, IsTheSameInDigits) {
  std::mt19937_64 engine(7);
  const int ranges[][2] = {{0, 0}, {-20, 20}, {-100, 100}, {-1100, 1024}, {-1074, -960}, {960, 1024}};
  for (auto [lowest, highest] : ranges) {
    auto values = random_values(engine, 5000, lowest, highest);
    for (double special : {0.0, -0.0, largest, -largest, smallest, -smallest})
      for (int i = 0; i < 100; ++i) values.push_back(special);
    for (std::size_t count : {std::size_t{1}, std::size_t{32}, values.size()}) {
      std::shuffle(values.begin(), values.end(), engine);
      const std::vector<double> some(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
      ExactSum expected = sum_of(some);
      expected.normalize();
      ASSERT_EQ(limbs_of(sum_of_digits(some)), limbs_of(expected));
    }
  }
}

TEST(ExactSum, DigitsOfAWarpFitIn32Bits) {
  for (const double value :
       {largest, -largest, std::nextafter(1.0, 0.0), -std::nextafter(1.0, 0.0), -smallest})
    for (int down = 0; down < 60; ++down) {
      const Digits d = digits_of(std::ldexp(value, -down));
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(std::int64_t{32} * d.piece[i], static_cast<int>(std::int64_t{32} * d.piece[i]));
    }
}

}  // namespace
}  // namespace plaq

// Values and what a thread's sum makes of them have one exact sum, for doubles and for lanes.
#include "core/sums/thread_sum.hpp"

#include "core/sums/exact_sum.hpp"
#include "tests/support/test.hpp"

namespace plaq {
namespace {

constexpr double largest_double = std::numeric_limits<double>::max();
constexpr double smallest_double = std::numeric_limits<double>::denorm_min();

// Exact sum to which parts and what is left go, like those of launches.
struct Accumulator {
  ThreadSum<double> sum;
  ExactSum total;
  int begins = 0, left = 0, refused = 0;

  void begin(double value) {
    for (int i = 0; i < ThreadSum<double>::parts; ++i) total.add(sum.part(i));
    sum.begin(value);
    ++begins;
  }
  void add(double value) {
    if (!sum.takes(value)) begin(value);
    if (!sum.takes(value)) {
      ++refused;
      total.add(value);
      return;
    }
    const double rest = sum.add(value);
    left += rest != 0;
    total.add(rest);
  }
};

ExactSum normalised(ExactSum sum) {
  sum.normalize();
  return sum;
}

void expect_sum(Accumulator& found, const std::vector<double>& values) {
  found.begin(1);
  ExactSum expected;
  for (double value : values) expected.add(value);
  const ExactSum a = normalised(found.total), b = normalised(expected);
  for (int i = 0; i < ExactSum::size; ++i) ASSERT_EQ(a.limb[i], b.limb[i]) << "limb " << i;
}

std::vector<double> numbers_between(std::mt19937_64& engine, int count, int lowest, int highest) {
  std::uniform_real_distribution<double> fraction(-1, 1);
  std::uniform_int_distribution<int> exponent(lowest, highest);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = std::ldexp(fraction(engine), exponent(engine));
  return values;
}

TEST(ThreadSum, LosesNothing) {
  std::mt19937_64 engine(1);
  const int ranges[][2] = {{0, 0},        {-3, 3},       {-20, 20},    {-60, 60},
                           {-1100, 1023}, {-1100, -950}, {1000, 1024}, {-1074, -1040}};
  for (const auto [lowest, highest] : ranges)
    for (int trial = 0; trial < 20; ++trial) {
      const auto values = numbers_between(engine, ThreadSum<double>::most_adds, lowest, highest);
      Accumulator found;
      for (double value : values) found.add(value);
      expect_sum(found, values);
    }
}

TEST(ThreadSum, TakesValuesOfOneSizeAlone) {
  std::mt19937_64 engine(2);
  const auto values = numbers_between(engine, ThreadSum<double>::most_adds, -20, 0);
  Accumulator found;
  found.begin(1);
  for (double value : values) found.add(value);
  EXPECT_EQ(found.begins, 1);
  EXPECT_EQ(found.left, 0);
  EXPECT_EQ(found.refused, 0);
}

// The largest_double values of one sign, and those that are rounded off most, as often as may be.
TEST(ThreadSum, HoldsTheMostAdditions) {
  for (const double sign : {1.0, -1.0})
    for (const int exponent : {-1000, -900, 0, 900})
      for (const double mantissa : {std::nextafter(2.0, 0.0), 1 + std::ldexp(1, -41), 1 + std::ldexp(1, -52)})
        for (const int below : {0, 4, 5, 30, 41, 42, 43, 60}) {
          const double first = std::ldexp(sign, exponent);
          const double value = std::ldexp(sign * mantissa, exponent + 4 - below);
          Accumulator found;
          found.begin(first);
          const std::vector<double> values(ThreadSum<double>::most_adds, value);
          ASSERT_TRUE(found.sum.takes(value));
          for (double x : values) found.add(x);
          ASSERT_EQ(found.begins, 1);
          expect_sum(found, values);
        }
}

TEST(ThreadSum, RefusesWhatItCannotTake) {
  ThreadSum<double> sum;
  for (double value : {0.0, 1.0, smallest_double}) EXPECT_FALSE(sum.takes(value));
  for (int i = 0; i < ThreadSum<double>::parts; ++i) EXPECT_EQ(sum.part(i), 0);
  sum.begin(0);
  for (double value : {0.0, -0.0, smallest_double, 1e-300}) EXPECT_TRUE(sum.takes(value)) << value;
  sum.begin(1);
  for (double value : {0.0, 1.0, -31.9, smallest_double}) EXPECT_TRUE(sum.takes(value)) << value;
  for (double value : {64.0, 1e300, largest_double, std::numeric_limits<double>::infinity(),
                       -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(sum.takes(value)) << value;
  for (double value : {std::ldexp(1, 1011), std::ldexp(1, -1070), 3.0}) {
    sum.begin(-value);
    EXPECT_TRUE(sum.takes(value)) << value;
  }
  sum.begin(largest_double);
  EXPECT_FALSE(sum.takes(largest_double));
  EXPECT_TRUE(sum.takes(std::ldexp(1, 1011)));
}

TEST(ThreadSum, LanesAreSumsOfTheirOwn) {
  constexpr int width = 8;
  using Values = Lanes<double, width>;
  std::mt19937_64 engine(3);
  ThreadSum<Values> sum;
  EXPECT_FALSE(sum.takes(Values(0.0)));
  sum.begin(1);
  std::array<ExactSum, width> expected{}, found{};
  for (int n = 0; n < ThreadSum<Values>::most_adds; ++n) {
    const auto drawn = numbers_between(engine, width, -80, 3);
    const Values values = Values::load(drawn.data());
    ASSERT_TRUE(sum.takes(values));
    const Values left = sum.add(values);
    for (std::size_t lane = 0; lane < width; ++lane) {
      expected[lane].add(drawn[lane]);
      found[lane].add(left[static_cast<int>(lane)]);
    }
  }
  for (std::size_t lane = 0; lane < width; ++lane) {
    for (int i = 0; i < ThreadSum<Values>::parts; ++i) found[lane].add(sum.part(i)[static_cast<int>(lane)]);
    EXPECT_EQ(found[lane].round(), expected[lane].round()) << lane;
  }
  for (int lane = 0; lane < width; ++lane)
    for (double wrong : {100.0, -largest_double, std::numeric_limits<double>::quiet_NaN()}) {
      Values values(0.5);
      EXPECT_TRUE(sum.takes(values));
      values.set(lane, wrong);
      EXPECT_FALSE(sum.takes(values)) << lane << ' ' << wrong;
    }
}

}  // namespace
}  // namespace plaq

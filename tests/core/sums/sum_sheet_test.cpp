#include "core/sums/sum_sheet.hpp"

#include "tests/support/test.hpp"

namespace plaq {
namespace {

// The numbers are dealt out to three sheets, from which their sum is read again.
double through_sheets(const std::vector<double>& values) {
  constexpr std::size_t parts = 3;
  constexpr int place = 17;
  std::vector<ExactSum> part(parts);
  for (std::size_t i = 0; i < values.size(); ++i) part[i % parts].add(values[i]);
  const auto sheet = std::make_unique<SumSheet>();
  std::memset(static_cast<void*>(sheet.get()), 0x5a, sizeof(SumSheet));
  SheetSum sum;
  for (ExactSum& mine : part) {
    hand_over(*sheet, place, mine.limb, OneLane());
    for (const std::int64_t limb : mine.limb) EXPECT_EQ(limb, 0);
    sum.add(*sheet, place);
  }
  EXPECT_EQ(sheet->record[place - 1].count, 0x5a5a5a5a5a5a5a5a);
  EXPECT_EQ(sheet->record[place + 1].count, 0x5a5a5a5a5a5a5a5a);
  return sum.round();
}

void expect_same(const std::vector<double>& values) {
  ExactSum sum;
  for (const double x : values) sum.add(x);
  const double found = through_sheets(values), expected = sum.round();
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)) << expected;
  }
}

TEST(SumSheet, CarriesEverySum) {
  const double largest = std::numeric_limits<double>::max(),
               smallest = std::numeric_limits<double>::denorm_min(),
               infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  expect_same({});
  expect_same({0.0, -0.0});
  for (const double sign : {1.0, -1.0}) {
    expect_same({sign});
    expect_same({sign, -sign});
    expect_same({sign * smallest});
    expect_same({sign * largest, sign * largest});
    expect_same({sign * largest, -sign * smallest, -sign * largest});
    expect_same({sign * largest, sign * smallest, -sign});
    expect_same({sign * infinity, 1});
    expect_same({sign * 0x1p-32, -sign * 0x1p-64, sign * 0x1p-53});
  }
  expect_same({infinity, -infinity});
  expect_same({1, nan, 2});
}

TEST(SumSheet, CarriesRandomSumsOfAllSizes) {
  std::mt19937_64 generator(3);
  for (int round = 0; round < 3000; ++round) {
    const int spread = 1 + static_cast<int>(generator() % 1000),
              middle = static_cast<int>(generator() % 1000) - 500;
    std::vector<double> values(generator() % 50);
    for (double& x : values)
      x = std::ldexp(static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5,
                     middle + static_cast<int>(generator() % static_cast<unsigned>(spread)) - spread / 2);
    expect_same(values);
  }
}

// What a GPU has added up is not normalised: limbs of either sign, far above 32 bits.
TEST(SumSheet, TakesLimbsThatAreNotNormalised) {
  std::mt19937_64 generator(4);
  const auto sheet = std::make_unique<SumSheet>();
  for (int round = 0; round < 3000; ++round) {
    ExactSum sum;
    const int first = static_cast<int>(generator() % 60), count = static_cast<int>(generator() % 7);
    for (int i = first; i < first + count; ++i) sum.limb[i] = static_cast<std::int64_t>(generator()) >> 2;
    const double expected = sum.round();
    SheetSum found;
    hand_over(*sheet, 0, sum.limb, OneLane());
    found.add(*sheet, 0);
    EXPECT_EQ(found.round(), expected);
  }
}

}  // namespace
}  // namespace plaq

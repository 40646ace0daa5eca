#include "core/algebra/random.hpp"

#include "tests/support/test.hpp"

namespace plaq::random_test {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words words(const RandomStream& stream, std::uint32_t attempt) {
  const Random4 random = stream.draw(attempt);
  return {random.word[0], random.word[1], random.word[2], random.word[3]};
}

// The published vectors (Random123, kat_vectors), through the fields that make up their counters.
TEST(RandomStream, GivesTheKnownAnswersOfPhilox) {
  EXPECT_EQ(words({0, 0, 0, Purpose{0}, 0, 0}, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(words({~std::uint64_t{0}, 0xffffffffffff, 0xffffffff, Purpose{0xff}, 0xf, 0xf}, 0xffffffff),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(words({0x299f31d0a4093822, 0x08d3243f6a88, 0x13198a2e, Purpose{0xa3}, 0x5, 0x8}, 0x03707344),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, DrawsDifferWhereCountersDo) {
  std::set<Words> seen;
  std::size_t draws = 0;
  for (std::uint64_t seed : {1, 2})
    for (std::uint64_t site : {0ull, 1ull, 255ull, 1ull << 32, 1ull << 47})
      for (std::uint32_t sweep : {0u, 1u, 1u << 31})
        for (Purpose purpose : {Purpose::hot_start, Purpose::heatbath, Purpose::gauge_copy})
          for (std::uint32_t direction = 0; direction < 4; ++direction)
            for (std::uint32_t subgroup = 0; subgroup < 3; ++subgroup)
              for (std::uint32_t attempt : {0u, 1u, 1u << 16}) {
                seen.insert(words({seed, site, sweep, purpose, direction, subgroup}, attempt));
                ++draws;
              }
  EXPECT_EQ(seen.size(), draws);
}

TEST(Random4, UniformsStayInsideTheOpenInterval) {
  const Random4 lowest{{0, 0, 0, 0}}, highest{{~0u, ~0u, ~0u, ~0u}}, middle{{0, 1u << 31, ~0u, ~0u >> 1}};
  for (int pair : {0, 1}) {
    EXPECT_EQ(lowest.uniform(pair), std::ldexp(1, -53));
    EXPECT_EQ(highest.uniform(pair), 1 - std::ldexp(1, -53));
  }
  EXPECT_EQ(middle.uniform(0) - 0.5, std::ldexp(1, -53));
  EXPECT_EQ(middle.uniform(1) - 0.5, -std::ldexp(1, -53));
  for (const Random4& extreme : {lowest, highest, middle}) {
    EXPECT_TRUE(std::isfinite(extreme.gaussian().first));
    EXPECT_TRUE(std::isfinite(extreme.gaussian().second));
  }
}

// Chi-square of counts against equal expectation; with 255 degrees of freedom its mean is 255, its standard
// deviation 22.6.
double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Random4, UniformsAreUniform) {
  constexpr int sites = 1 << 18;
  std::vector<int> high(256), low(256), pairs(256);
  for (std::uint64_t site = 0; site < sites; ++site) {
    const Random4 random = RandomStream{12345, site, 7, Purpose::test}.draw(0);
    const double u = random.uniform(0), v = random.uniform(1);
    ++high[static_cast<int>(256 * u)];
    ++low[static_cast<int>(256 * std::fmod(v * (1 << 20), 1.0))];
    ++pairs[static_cast<int>(16 * u) * 16 + static_cast<int>(16 * v)];
  }
  for (const auto* counts : {&high, &low, &pairs}) {
    const double value = chi_square(*counts, sites / 256.0);
    EXPECT_GT(value, 255 - 4 * 22.6);
    EXPECT_LT(value, 255 + 4 * 22.6);
  }
}

TEST(Random4, GaussiansHaveTheRightMoments) {
  constexpr int sites = 1 << 18;
  double sum = 0, square = 0, fourth = 0, product = 0;
  for (std::uint64_t site = 0; site < sites; ++site) {
    const auto [x, y] = RandomStream{99, site, 0, Purpose::noise_source}.draw(3).gaussian();
    sum += x + y;
    square += x * x + y * y;
    fourth += x * x * x * x + y * y * y * y;
    product += x * y;
  }
  const double count = 2.0 * sites,
               error = 5 / std::sqrt(count);  // five standard deviations, per unit variance
  EXPECT_NEAR(sum / count, 0, error);
  EXPECT_NEAR(square / count, 1, std::sqrt(2) * error);
  EXPECT_NEAR(fourth / count, 3, std::sqrt(96) * error);
  EXPECT_NEAR(product / sites, 0, std::sqrt(2) * error);
}

}  // namespace
}  // namespace plaq::random_test

// Sites of sources: the first random ones as they are for all time, their distribution, and grids.
#include "quarks/source/source_positions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace plaq::source_positions_test {
namespace {

constexpr Extents extents{4, 6, 2, 16};
const SourcePositions random_sites{.order = PositionOrder::random, .count = 1, .seed = 3};

TEST(SourcePositions, RandomSitesBelongToAllNumbers) {
  const auto at = [](std::int64_t seed, const FieldNumbers& field, int k) {
    SourcePositions sites = random_sites;
    sites.seed = seed;
    return source_position(sites, field, k, {64, 64, 64, 64});
  };
  const std::set<Extents> all{at(3, {100, 0}, 0), at(4, {100, 0}, 0), at(3, {101, 0}, 0),
                              at(3, {100, 1}, 0), at(3, {100, 0}, 1), at(3, {std::int64_t{1} << 40, 0}, 0)};
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(at(3, {100, 0}, 0), at(3, {100, 0}, 0));
}

// Each site of the lattice is as likely as another: chi^2 of 768 sites.
TEST(SourcePositions, RandomSitesAreUniform) {
  std::map<Extents, int> found;
  constexpr int draws = 76800;
  for (int k = 0; k < draws; ++k) ++found[source_position(random_sites, {k % 7, 0}, k, extents)];
  EXPECT_EQ(found.size(), 768u);
  double chi2 = 0;
  for (const auto& [site, count] : found) {
    for (std::size_t mu = 0; mu < 4; ++mu) {
      EXPECT_GE(site[mu], 0);
      EXPECT_LT(site[mu], extents[mu]);
    }
    chi2 += (count - 100.0) * (count - 100.0) / 100;
  }
  EXPECT_NEAR(chi2, 767, 5 * std::sqrt(2 * 767.0));
}

TEST(NoiseSeed, BelongsToAllNumbers) {
  const std::set<std::int64_t> all{noise_seed(3, {100, 0}), noise_seed(4, {100, 0}), noise_seed(3, {101, 0}),
                                   noise_seed(3, {100, 1}), noise_seed(3, {std::int64_t{1} << 40, 0})};
  EXPECT_EQ(all.size(), 5u);
  for (int trajectory = 0; trajectory < 1000; ++trajectory) EXPECT_GE(noise_seed(3, {trajectory, 0}), 0);
}

TEST(SourcePositions, GridsHaveEachSiteOnce) {
  SourcePositions sites{.order = PositionOrder::grid, .first = {1, 5, 0, 15}, .grid = {2, 3, 1, 4}};
  EXPECT_EQ(sites.number(), 24);
  std::set<Extents> found;
  for (int k = 0; k < sites.number(); ++k) found.insert(source_position(sites, {}, k, extents));
  std::set<Extents> expected;
  for (const int x : {1, 3})
    for (const int y : {5, 1, 3})
      for (const int t : {15, 3, 7, 11}) expected.insert({x, y, 0, t});
  EXPECT_EQ(found, expected);
  EXPECT_EQ(source_position(sites, {}, 0, extents), (Extents{1, 5, 0, 15}));
  EXPECT_EQ(source_position(sites, {}, 1, extents), (Extents{3, 5, 0, 15}));
  EXPECT_FALSE(sites.fault(extents));
  sites.grid[1] = 4;
  ASSERT_TRUE(sites.fault(extents));
  EXPECT_EQ(sites.fault(extents)->parameter, "grid");
}

// A grid and shifts keep their distances wherever they begin.
TEST(SourcePositions, RandomOriginsMoveAllSites) {
  for (const PositionOrder order : {PositionOrder::grid, PositionOrder::shift}) {
    SourcePositions sites{.order = order, .shift = {1, 2, 0, 5}, .grid = {2, 1, 1, 4}, .count = 8};
    SourcePositions moved = sites;
    moved.seed = 5;
    moved.random_origin = true;
    const Extents origin = source_position(moved, {7, 0}, 0, extents);
    EXPECT_NE(origin, source_position(moved, {8, 0}, 0, extents));
    for (int k = 0; k < 8; ++k) {
      const Extents plain = source_position(sites, {}, k, extents),
                    at = source_position(moved, {7, 0}, k, extents);
      for (std::size_t mu = 0; mu < 4; ++mu) EXPECT_EQ(at[mu], (plain[mu] + origin[mu]) % extents[mu]) << k;
    }
  }
}

}  // namespace
}  // namespace plaq::source_positions_test

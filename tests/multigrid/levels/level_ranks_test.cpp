// Number of ranks of a level.
#include "multigrid/levels/agglomeration.hpp"

#include <gtest/gtest.h>

namespace plaq {
namespace {

TEST(LevelRanks, StayWhileEachHasEnoughSites) {
  EXPECT_EQ(ranks_for_level({2, 2, 2, 4}, {16, 16, 16, 32}), (Extents{2, 2, 2, 4}));
  EXPECT_EQ(ranks_for_level({1, 1, 2, 2}, {8, 8, 8, 4}), (Extents{1, 1, 2, 2}));  // 512 each
  EXPECT_EQ(ranks_for_level({4, 4, 4, 4}, {4, 4, 4, 4}, 1), (Extents{4, 4, 4, 4}));
}

TEST(LevelRanks, AreDividedWhereThereAreMost) {
  EXPECT_EQ(ranks_for_level({1, 1, 2, 4}, {8, 8, 8, 8}), (Extents{1, 1, 2, 4}));
  EXPECT_EQ(ranks_for_level({1, 1, 2, 4}, {8, 8, 6, 8}), (Extents{1, 1, 2, 2}));
  EXPECT_EQ(ranks_for_level({1, 1, 2, 8}, {4, 4, 4, 16}, 128), (Extents{1, 1, 2, 4}));
  // Among equal numbers of ranks, those with fewer sites in the direction; then t, z, y, x.
  EXPECT_EQ(ranks_for_level({2, 1, 1, 2}, {4, 8, 8, 8}, 1024), (Extents{1, 1, 1, 2}));
  EXPECT_EQ(ranks_for_level({2, 2, 2, 2}, {8, 8, 8, 8}, 512), (Extents{2, 2, 2, 1}));
  EXPECT_EQ(ranks_for_level({2, 2, 2, 2}, {8, 8, 8, 8}, 1024), (Extents{2, 2, 1, 1}));
}

TEST(LevelRanks, AreDividedByTheirSmallestFactor) {
  EXPECT_EQ(ranks_for_level({1, 1, 1, 15}, {4, 4, 4, 15}, 65), (Extents{1, 1, 1, 5}));
  EXPECT_EQ(ranks_for_level({1, 1, 1, 15}, {4, 4, 4, 15}, 193), (Extents{1, 1, 1, 1}));
  EXPECT_EQ(ranks_for_level({7, 1, 1, 6}, {7, 3, 5, 6}, 20), (Extents{1, 1, 1, 6}));
}

// Blocks lie on one rank each.
TEST(LevelRanks, SuitBlocks) {
  EXPECT_EQ(ranks_for_blocks({2, 2, 2, 4}, {16, 16, 16, 32}, {4, 4, 4, 4}), (Extents{2, 2, 2, 4}));
  EXPECT_EQ(ranks_for_blocks({4, 1, 1, 8}, {24, 24, 24, 48}, {4, 4, 4, 4}), (Extents{2, 1, 1, 4}));
  EXPECT_EQ(ranks_for_blocks({6, 1, 3, 1}, {24, 8, 12, 7}, {4, 4, 2, 7}), (Extents{6, 1, 3, 1}));
  EXPECT_EQ(ranks_for_blocks({6, 1, 3, 1}, {36, 8, 6, 7}, {4, 4, 3, 7}), (Extents{3, 1, 1, 1}));
  EXPECT_EQ(ranks_for_blocks({1, 1, 1, 5}, {4, 4, 4, 10}, {4, 4, 4, 5}), (Extents{1, 1, 1, 1}));
  EXPECT_EQ(ranks_for_blocks({1, 1, 1, 2}, {4, 4, 4, 10}, {4, 4, 4, 4}), (Extents{1, 1, 1, 2}));  // never
}

// A lattice that is too small for any.
TEST(LevelRanks, EndWithOne) {
  EXPECT_EQ(ranks_for_level({3, 2, 5, 4}, {3, 2, 5, 4}), (Extents{1, 1, 1, 1}));
  EXPECT_EQ(ranks_for_level({1, 1, 1, 1}, {1, 1, 1, 1}), (Extents{1, 1, 1, 1}));
}

}  // namespace
}  // namespace plaq

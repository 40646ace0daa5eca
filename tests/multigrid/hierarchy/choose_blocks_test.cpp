// Blocks where nobody says them.
#include "multigrid/settings.hpp"

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace plaq {
namespace {

using Blocks = std::vector<Extents>;

TEST(ChooseBlocks, AreNearFourThenNearTwo) {
  EXPECT_EQ(choose_blocks({8, 8, 8, 16}, 24), (Blocks{{4, 4, 4, 4}}));
  EXPECT_EQ(choose_blocks({16, 16, 16, 32}, 24), (Blocks{{4, 4, 4, 4}, {2, 2, 2, 2}}));
  EXPECT_EQ(choose_blocks({64, 64, 64, 128}, 24), (Blocks{{4, 4, 4, 4}, {2, 2, 2, 2}, {2, 2, 2, 2}}));
}

TEST(ChooseBlocks, DivideTheLattice) {
  EXPECT_EQ(choose_blocks({6, 10, 9, 14}, 24), (Blocks{{3, 5, 3, 2}}));
  EXPECT_EQ(choose_blocks({24, 24, 24, 48}, 24), (Blocks{{4, 4, 4, 4}, {2, 2, 2, 2}}));
  for (const Extents& lattice : {Extents{20, 28, 36, 44}, {18, 30, 50, 70}}) {
    Extents left = lattice;
    for (const Extents& block : choose_blocks(lattice, 24))
      for (std::size_t mu = 0; mu < 4; ++mu) {
        EXPECT_EQ(left[mu] % block[mu], 0);
        left[mu] /= block[mu];
      }
  }
}

TEST(ChooseBlocks, MustGatherEnoughSites) {
  test::expect_error(
      [] {
        choose_blocks({7, 7, 7, 11}, 24);
      },
      ErrorKind::job_file, {"7x7x7x11", "blocks of 1x1x1x1", "too few for 24"});
}

}  // namespace
}  // namespace plaq

// Process grids of fewer ranks: who is in them, their neighbours, and sums over them.
#include "comms/grid/process_grid.hpp"

#include "tests/support/errors.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

void expect_first_ranks(const ProcessGrid& grid, const Extents& merge, const ProcessGrid* merged) {
  bool first = true;
  for (std::size_t mu = 0; mu < 4; ++mu) first = first && grid.position()[mu] % merge[mu] == 0;
  ASSERT_EQ(merged != nullptr, first);
  if (!merged) return;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    EXPECT_EQ(merged->ranks()[mu] * merge[mu], grid.ranks()[mu]);
    EXPECT_EQ(merged->position()[mu] * merge[mu], grid.position()[mu]);
  }
  std::vector<Extents> positions(static_cast<std::size_t>(merged->size()));
  MPI_Allgather(merged->position().data(), 4, MPI_INT, positions.data(), 4, MPI_INT, merged->comm().mpi());
  for (int rank = 0; rank < merged->size(); ++rank) EXPECT_EQ(merged->rank_of(positions[rank]), rank);
  for (int mu = 0; mu < 4; ++mu) {
    Extents next = merged->position();
    const auto m = static_cast<std::size_t>(mu);
    next[m] = (next[m] + 1) % merged->ranks()[m];
    EXPECT_EQ(positions[merged->neighbor(mu, true)], next);
  }
  EXPECT_EQ(merged->geometry({48, 48, 48, 48})->decomposition().ranks, merged->ranks());
}

// Ranks outside wait for nobody meanwhile.
void expect_sums(const ProcessGrid& grid, const ProcessGrid& merged) {
  const double mine = 0.1 * (1 + grid.rank());
  std::vector<double> all(static_cast<std::size_t>(merged.size()));
  MPI_Allgather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, merged.comm().mpi());
  ExactSum expected;
  for (const double x : all) expected.add(x);
  std::vector<ExactSum> sums(1);
  sums[0].add(mine);
  EXPECT_EQ(global_sums(merged, sums)[0], expected.round());
  EXPECT_EQ(global_max(merged, mine), *std::max_element(all.begin(), all.end()));
}

TEST(MergedGrid, HoldsTheFirstRankOfEachGroup) {
  bool t_fastest = false;  // every other grid numbers its ranks so
  for (const auto& ranks : test::general_grids(test::world_size(), {24, 24, 24, 24})) {
    const ProcessGrid grid(MPI_COMM_WORLD, ranks, {1, 1, 1, t_fastest ? ranks[3] : 1});
    t_fastest = !t_fastest;
    for (const Extents& merge : test::merges(ranks)) {
      SCOPED_TRACE(to_string(ranks) + " merging " + to_string(merge));
      const auto merged = merged_grid(grid, merge);
      expect_first_ranks(grid, merge, merged.get());
      if (merged) expect_sums(grid, *merged);
    }
  }
}

// A merged grid can be merged again, down to one rank.
TEST(MergedGrid, CanBeMergedAgain) {
  const int size = test::world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, {1, 1, 1, size});
  const int step = size % 2 == 0 ? 2 : size;
  const auto once = merged_grid(grid, {1, 1, 1, step});
  if (!once) return;
  const auto twice = merged_grid(*once, once->ranks());
  ASSERT_EQ(twice != nullptr, grid.position()[3] == 0);
  if (twice) {
    EXPECT_EQ(twice->size(), 1);
  }
}

TEST(MergedGrid, RefusesWhatDoesNotDivide) {
  const int size = test::world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, {1, size, 1, 1});
  const std::string ranks = to_string(grid.ranks());
  for (const int merge : {0, size + 1}) {
    const std::string factor = std::to_string(merge);
    EXPECT_EQ(test::message_of(ErrorKind::comms,
                               [&] {
                                 merged_grid(grid, {1, merge, 1, 1});
                               }),
              "process grid " + ranks + " cannot merge 1x" + factor + "x1x1 ranks into one: " + factor +
                  " in y does not divide " + std::to_string(size));
  }
}

}  // namespace
}  // namespace plaq

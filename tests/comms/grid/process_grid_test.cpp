// Process grids against brute force, and sums over ranks.
#include "comms/grid/process_grid.hpp"

#include "comms/communicator/node_map.hpp"
#include "comms/communicator/world.hpp"
#include "core/launch/queue.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/world.hpp"

namespace plaq::process_grid_test {
namespace {

using test::world_size;

const Extents lattices[] = {{4, 4, 4, 8},  {8, 12, 4, 6},    {2, 2, 2, 2},
                            {6, 2, 10, 4}, {24, 24, 24, 48}, {16, 8, 16, 16}};

std::set<Extents> brute_force(int size, const Extents& global) {
  std::set<Extents> grids;
  for (int x = 1; x <= size; ++x)
    for (int y = 1; y <= size; ++y)
      for (int z = 1; z <= size; ++z)
        for (int t = 1; t <= size; ++t) {
          const Extents ranks{x, y, z, t};
          bool splits = x * y * z * t == size;
          for (std::size_t mu = 0; mu < 4; ++mu) splits = splits && global[mu] % (2 * ranks[mu]) == 0;
          if (splits) grids.insert(ranks);
        }
  return grids;
}

TEST(Grids, AllowedOnesAreAllThatSplitIntoEvenExtents) {
  for (const auto& global : lattices)
    for (int size = 1; size <= 16; ++size) {
      const auto grids = allowed_grids(size, global);
      const std::set<Extents> unique(grids.begin(), grids.end());
      EXPECT_EQ(unique.size(), grids.size());
      EXPECT_EQ(unique, brute_force(size, global)) << to_string(global) << " on " << size;
    }
}

std::int64_t surface(const Extents& global, const Extents& ranks) {
  std::int64_t faces = 0;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (ranks[mu] == 1) continue;
    std::int64_t face = 1;
    for (std::size_t nu = 0; nu < 4; ++nu)
      if (nu != mu) face *= global[nu] / ranks[nu];
    faces += face;
  }
  return faces;
}

TEST(Grids, TheChosenOneHasTheLeastSurface) {
  for (const auto& global : lattices)
    for (int size = 1; size <= 16; ++size) {
      const auto grids = brute_force(size, global);
      if (grids.empty()) continue;
      const auto best = std::min_element(grids.begin(), grids.end(), [&](const Extents& a, const Extents& b) {
        const auto key = [&](const Extents& r) {
          return std::array<std::int64_t, 5>{surface(global, r), -r[3], -r[2], -r[1], -r[0]};
        };
        return key(a) < key(b);
      });
      EXPECT_EQ(choose_grid(size, global), *best) << to_string(global) << " on " << size;
    }
  EXPECT_EQ(choose_grid(2, {8, 8, 8, 8}), (Extents{1, 1, 1, 2}));
  EXPECT_EQ(choose_grid(8, {32, 32, 32, 32}), (Extents{1, 1, 2, 4}));  // as much surface as 1x2x2x2
}

TEST(Grids, AnImpossibleOneNamesWhatWouldWork) {
  const auto said = [](const test::Action& action) { return test::message_of(ErrorKind::job_file, action); };
  const struct {
    int ranks;
    Extents global;
    std::string message;
  } cases[] = {
      {5, {4, 4, 4, 8}, "4x4x4x8 does not split over 5 ranks into even local extents; 4 ranks would work"},
      {2, {2, 2, 2, 2}, "2x2x2x2 does not split over 2 ranks into even local extents; 1 rank would work"},
      {1, {3, 4, 4, 4}, "3x4x4x4 does not split over 1 rank into even local extents"}};
  for (const auto& c : cases)
    EXPECT_EQ(said([&] { choose_grid(c.ranks, c.global); }), "lattice " + c.message);
  const int size = world_size();
  const std::string more = std::to_string(size + 1);
  const Extents too_many{1, 1, size + 1, 1}, negative{-1, -1, 1, size};
  EXPECT_EQ(
      said([&] { ProcessGrid(MPI_COMM_WORLD, too_many); }),
      "process grid 1x1x" + more + "x1 needs " + more + " ranks, but there are " + std::to_string(size));
  EXPECT_NE(said([&] { ProcessGrid(MPI_COMM_WORLD, negative); }), "");
}

// The positions of all ranks, each of which must be where its neighbours look for it.
std::vector<Extents> expect_neighbors(const ProcessGrid& grid) {
  std::vector<Extents> positions(static_cast<std::size_t>(grid.size()));
  MPI_Allgather(grid.position().data(), 4, MPI_INT, positions.data(), 4, MPI_INT, grid.comm().mpi());
  EXPECT_EQ(std::set<Extents>(positions.begin(), positions.end()).size(), positions.size());
  EXPECT_EQ(positions[grid.rank()], grid.position());
  for (int mu = 0; mu < 4; ++mu)
    for (const bool forward : {true, false}) {
      Extents expected = grid.position();
      auto& x = expected[mu];
      const int n = grid.ranks()[mu];
      x = forward ? (x == n - 1 ? 0 : x + 1) : (x == 0 ? n - 1 : x - 1);
      EXPECT_EQ(positions[grid.neighbor(mu, forward)], expected);
    }
  const auto geometry = grid.geometry({48, 48, 48, 48}, 4);
  EXPECT_EQ(geometry->decomposition().position, grid.position());
  EXPECT_EQ(geometry->decomposition().ranks, grid.ranks());
  EXPECT_TRUE(geometry->partitioned(2));
  return positions;
}

// Also with blocks of ranks on nodes: all of this machine's are on one, which then has several blocks.
TEST(ProcessGrid, NeighborsAreOneStepAway) {
  const int size = world_size();
  for (const auto& ranks : brute_force(size, {48, 48, 48, 48})) {
    const ProcessGrid plain(MPI_COMM_WORLD, ranks);
    EXPECT_EQ(plain.size(), size);
    EXPECT_EQ(plain.ranks(), ranks);
    const auto in_order = expect_neighbors(plain);
    if (ranks[0] > 1) {
      EXPECT_EQ(in_order[1], (Extents{1, 0, 0, 0}));  // x fastest
    }
    for (int part = 1; part <= size; ++part) {
      if (size % part != 0) continue;
      const Extents block = choose_block(ranks, {48, 48, 24, 12}, part);
      const auto positions = expect_neighbors(ProcessGrid(MPI_COMM_WORLD, ranks, block));
      for (std::size_t r = 1; r < static_cast<std::size_t>(part); ++r)  // the ranks of the first block
        for (std::size_t mu = 0; mu < 4; ++mu) EXPECT_LT(positions[r][mu], block[mu]);
    }
  }
}

TEST(NodeMap, RanksPerNodeIsTheCommonDivisor) {
  EXPECT_EQ(ranks_per_node({0}), 1);
  EXPECT_EQ(ranks_per_node({0, 0, 2, 2}), 2);
  EXPECT_EQ(ranks_per_node({0, 1, 0, 1}), 2);
  EXPECT_EQ(ranks_per_node({0, 0, 0, 0, 4, 4}), 2);
  EXPECT_EQ(ranks_per_node({0, 0, 0, 3, 3}), 1);
  EXPECT_EQ(ranks_per_node(nodes_of(MPI_COMM_WORLD)), test::ranks_of_this_node());  // equal nodes
}

TEST(NodeMap, ARankWithoutAGpuSharesNone) {
  const bool share = two_ranks_share_a_device(MPI_COMM_WORLD);
  if (device_count() == 0 || world_size() == 1) {
    EXPECT_FALSE(share);
  }
}

TEST(GlobalSums, HaveTheSameBitsHoweverTheNumbersAreDealtOut) {
  const int size = world_size();
  std::mt19937_64 generator(8);
  std::vector<double> numbers(3000);
  for (double& x : numbers)
    x = std::ldexp(static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5,
                   static_cast<int>(generator() % 600) - 300);
  ExactSum whole;
  for (const double x : numbers) whole.add(x);
  const ProcessGrid grid(MPI_COMM_WORLD, {size, 1, 1, 1});
  const auto me = static_cast<std::uint64_t>(grid.rank());
  for (int deal = 0; deal < 10; ++deal) {
    std::vector<ExactSum> sums(4);
    for (const double x : numbers)
      if (generator() % static_cast<std::uint64_t>(size) == me) {
        sums[0].add(x);
        sums[1].add(-x);
      }
    // The generators agree, so that every number has one owner.
    if (grid.rank() == size - 1) sums[2].add(std::numeric_limits<double>::quiet_NaN());
    sums[3].add(grid.rank() == 0 ? 1e300 : 1.0);
    const auto totals = global_sums(grid, sums);
    EXPECT_EQ(totals[0], whole.round());
    EXPECT_EQ(totals[1], -whole.round());
    EXPECT_TRUE(std::isnan(totals[2]));
    EXPECT_EQ(totals[3], 1e300);
    EXPECT_EQ(sums[0].round(), totals[0]);  // in place
  }
  std::vector<ExactSum> none;
  EXPECT_TRUE(global_sums(grid, none).empty());
}

TEST(GlobalMax, FindsTheLargestAndNan) {
  const int size = world_size();
  const ProcessGrid grid(MPI_COMM_WORLD, {1, size, 1, 1});
  EXPECT_EQ(global_max(grid, -1.0 - grid.rank()), -1.0);
  EXPECT_EQ(global_max(grid, 2.0 * grid.rank()), 2.0 * (size - 1));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(global_max(grid, grid.rank() == size / 2 ? nan : 1e308)));
}

}  // namespace
}  // namespace plaq::process_grid_test

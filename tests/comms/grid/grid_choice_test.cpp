// Process grids and blocks of ranks on nodes against brute force: faces are counted rank by rank.
#include "comms/grid/grid_choice.hpp"

#include "tests/support/errors.hpp"

namespace plaq {
namespace {

const Extents lattices[] = {
    {32, 32, 32, 64}, {24, 24, 24, 48}, {8, 12, 4, 24}, {48, 16, 16, 16}, {4, 4, 4, 256}};

std::vector<Extents> quadruples(int product) {
  std::vector<Extents> all;
  for (int x = 1; x <= product; ++x)
    for (int y = 1; x * y <= product; ++y)
      for (int z = 1; x * y * z <= product; ++z)
        if (product % (x * y * z) == 0) all.push_back({x, y, z, product / (x * y * z)});
  return all;
}

bool tiles(const Extents& block, const Extents& grid) {
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (grid[mu] % block[mu] != 0) return false;
  return true;
}

std::vector<int> consecutive(int ranks, int ranks_per_node) {
  std::vector<int> nodes;
  for (int r = 0; r < ranks; ++r) nodes.push_back(r / ranks_per_node * ranks_per_node);
  return nodes;
}
std::vector<int> in_turn(int ranks, int ranks_per_node) {
  std::vector<int> nodes;
  for (int r = 0; r < ranks; ++r) nodes.push_back(r % (ranks / ranks_per_node));
  return nodes;
}

// Sites of all faces that all ranks send forward, those between nodes times the weight.
std::int64_t counted_cost(const Extents& grid, const Extents& global, const std::vector<int>& cells,
                          const std::vector<int>& nodes) {
  std::vector<int> node_of_cell(cells.size());
  for (std::size_t r = 0; r < cells.size(); ++r) node_of_cell[cells[r]] = nodes[r];
  std::int64_t cost = 0;
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (std::size_t mu = 0; mu < 4; ++mu) {
      if (grid[mu] == 1) continue;
      Extents there = position_of(static_cast<int>(c), grid);
      there[mu] = (there[mu] + 1) % grid[mu];
      std::int64_t face = 1;
      for (std::size_t nu = 0; nu < 4; ++nu)
        if (nu != mu) face *= global[nu] / grid[nu];
      const bool crosses = node_of_cell[cell_of(there, grid)] != node_of_cell[c];
      cost += face * (crosses ? network_weight : 1);
    }
  return cost;
}

TEST(GridChoice, ManyRanksAreAnsweredAtOnce) {
  test::expect_error(
      [] {
        choose_grid(1000000, {32, 32, 32, 64});
      },
      ErrorKind::job_file, {"32x32x32x64", "1000000 ranks", "131072 ranks would work"});
  test::expect_error(
      [] {
        choose_grid(2147483647, {4, 4, 4, 8});
      },
      ErrorKind::job_file, {"32 ranks would work"});
  test::expect_error(
      [] {
        choose_grid(3, {2147483646, 4, 4, 8}, 0, 1 << 30);
      },
      ErrorKind::job_file, {"3 ranks", "1 rank would work"});
  EXPECT_EQ(allowed_grids(131072, {32, 32, 32, 64}), std::vector<Extents>({{16, 16, 16, 32}}));
}

TEST(Cells, AreNumberedXFastest) {
  const Extents grid{2, 3, 4, 5};
  EXPECT_EQ(position_of(1, grid), (Extents{1, 0, 0, 0}));
  EXPECT_EQ(position_of(2 * 3 * 4, grid), (Extents{0, 0, 0, 1}));
  for (int c = 0; c < 120; ++c) EXPECT_EQ(cell_of(position_of(c, grid), grid), c);
}

TEST(Cells, EveryRankHasOneAndEveryNodeABlock) {
  std::mt19937 generator(11);
  for (const Extents& grid : {Extents{2, 2, 4, 4}, Extents{1, 4, 4, 4}, Extents{1, 1, 1, 64}})
    for (const int size : {1, 2, 4, 8, 16, 64})
      for (const Extents& block : quadruples(size)) {
        if (!tiles(block, grid)) continue;
        auto shuffled = consecutive(64, size);
        std::shuffle(shuffled.begin(), shuffled.end(), generator);
        for (const auto& nodes : {consecutive(64, size), in_turn(64, size), shuffled}) {
          const auto cells = cells_of_ranks(grid, block, nodes);
          EXPECT_EQ(std::set<int>(cells.begin(), cells.end()).size(), 64u);
          std::map<int, std::set<Extents>> blocks;  // of each node, those that its ranks are in
          for (std::size_t r = 0; r < 64; ++r) {
            Extents at = position_of(cells[r], grid);
            for (std::size_t mu = 0; mu < 4; ++mu) at[mu] /= block[mu];
            blocks[nodes[r]].insert(at);
          }
          for (const auto& [node, found] : blocks) EXPECT_EQ(found.size(), 1u);
        }
      }
  // Ranks in their order where that is the block anyway.
  const auto plain = cells_of_ranks({2, 2, 2, 4}, {2, 2, 2, 1}, consecutive(32, 8));
  for (std::size_t r = 0; r < plain.size(); ++r) EXPECT_EQ(plain[r], static_cast<int>(r));
  EXPECT_EQ(cells_of_ranks({1, 1, 2, 2}, {1, 1, 1, 2}, {0, 0, 2, 2}), (std::vector<int>{0, 2, 1, 3}));
  EXPECT_THROW(cells_of_ranks({1, 1, 2, 2}, {1, 1, 1, 4}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(cells_of_ranks({1, 1, 2, 2}, {1, 1, 1, 2}, {0, 0, 0}), Error);
}

TEST(Cells, NodesOfDifferentSizeHaveWholeBlocks) {
  std::vector<int> nodes(12, 0);
  std::fill(nodes.begin() + 8, nodes.end(), 8);  // eight and four ranks
  const auto cells = cells_of_ranks({1, 1, 3, 4}, {1, 1, 1, 4}, nodes);
  for (std::size_t r = 0; r < 12; ++r)
    EXPECT_EQ(position_of(cells[r], {1, 1, 3, 4})[2], static_cast<int>(r) / 4);
}

TEST(ExchangeCost, IsThatOfFacesCountedRankByRank) {
  for (const Extents& global : lattices)
    for (const Extents& grid : allowed_grids(16, global))
      for (const int size : {1, 2, 4, 8, 16})
        for (const Extents& block : quadruples(size)) {
          if (!tiles(block, grid)) continue;
          for (const auto& nodes : {consecutive(16, size), in_turn(16, size)})
            EXPECT_EQ(exchange_cost(grid, block, global) * (16 / size),
                      counted_cost(grid, global, cells_of_ranks(grid, block, nodes), nodes))
                << to_string(global) << " on " << to_string(grid) << " by " << to_string(block);
        }
}

TEST(LeastSlices, HoldWhereALatticeIsSplitAndOnlyThere) {
  EXPECT_EQ(choose_grid(4, {8, 8, 8, 8}), (Extents{1, 1, 1, 4}));
  EXPECT_EQ(choose_grid(4, {8, 8, 8, 8}, 0, 4), (Extents{1, 1, 2, 2}));
  EXPECT_EQ(choose_grid(4, {2, 2, 2, 16}, 0, 4), (Extents{1, 1, 1, 4}));
  for (const Extents& global : lattices)
    for (const int ranks : {1, 2, 4, 6, 8, 12, 16, 32}) {
      std::vector<Extents> wanted;
      for (const Extents& grid : allowed_grids(ranks, global)) {
        bool enough = true;
        for (std::size_t mu = 0; mu < 4; ++mu)
          enough = enough && (grid[mu] == 1 || global[mu] / grid[mu] >= 4);
        if (enough) wanted.push_back(grid);
      }
      EXPECT_EQ(allowed_grids(ranks, global, 4), wanted) << to_string(global) << " on " << ranks;
    }
}

TEST(LeastSlices, ErrorsNameTheGridAndWhatWouldDo) {
  const auto refused = [](const test::Action& action, const test::Parts& parts) {
    test::expect_error(action, ErrorKind::job_file, parts);
  };
  const auto check = [](const Extents& grid, const Extents& global, std::uint32_t forced = 0) {
    return [=] { check_slices(grid, global, 4, forced); };
  };
  const Extents eight{8, 8, 8, 8};
  refused([&] { choose_grid(32, eight, 0, 4); },
          {"lattice 8x8x8x8 does not split over 32 ranks", "at least 4 slices a rank",
           "1x2x4x4 would leave fewer", "16 ranks would work"});
  refused(check({1, 1, 1, 4}, eight), {"process grid 1x1x1x4 gives each rank 8x8x8x2 of the lattice 8x8x8x8",
                                       "at least 4 slices a rank", "1x1x2x2 would do"});
  refused(check({1, 1, 1, 4}, {4, 4, 4, 8}), {"no grid of 4 ranks would do"});
  EXPECT_NO_THROW(check({1, 1, 2, 2}, {2, 2, 8, 8})());
  refused(check({1, 1, 2, 2}, {2, 2, 8, 8}, 1), {"forced"});
}

TEST(ChooseGrid, HasTheLeastCostOfAllGridsAndBlocks) {
  for (const Extents& global : lattices)
    for (const int ranks : {1, 2, 4, 6, 8, 12, 16, 32})
      for (const int size : {1, 2, 4, 6, 8, 16}) {
        if (ranks % size != 0) continue;
        std::int64_t least = -1;
        for (const Extents& grid : quadruples(ranks)) {
          bool splits = true;
          for (std::size_t mu = 0; mu < 4; ++mu) splits = splits && global[mu] % (2 * grid[mu]) == 0;
          for (const Extents& block : quadruples(size)) {
            if (!splits || !tiles(block, grid)) continue;
            const std::int64_t cost = exchange_cost(grid, block, global);
            if (least < 0 || cost < least) least = cost;
          }
        }
        if (least < 0) {
          EXPECT_THROW(choose_grid(ranks, global, size), Error);
          continue;
        }
        const Extents grid = choose_grid(ranks, global, size), block = choose_block(grid, global, size);
        EXPECT_TRUE(tiles(block, grid));
        EXPECT_EQ(block[0] * block[1] * block[2] * block[3], size);
        EXPECT_EQ(exchange_cost(grid, block, global), least)
            << to_string(global) << " on " << ranks << " ranks, " << size << " a node";
        EXPECT_EQ(grid, choose_grid(ranks, global, size));
      }
}

TEST(ChooseGrid, FollowsTheNodes) {
  const Extents global{32, 32, 32, 64};
  // On one node, and with a GPU a node: the least surface.
  EXPECT_EQ(choose_grid(8, global), choose_grid(8, global, 8));
  EXPECT_EQ(choose_grid(64, global, 1), choose_grid(64, global));
  EXPECT_EQ(choose_block(choose_grid(64, global, 1), global, 1), (Extents{1, 1, 1, 1}));
  EXPECT_EQ(choose_block({1, 1, 2, 4}, global), (Extents{1, 1, 2, 4}));
  // Nodes of eight: in their order ranks are as good as in blocks where there are few nodes, and worse where
  // there are many, or where they are dealt out in turn.
  const auto in_order = [&](const Extents& grid, const std::vector<int>& nodes) {
    std::vector<int> cells(nodes.size());
    std::iota(cells.begin(), cells.end(), 0);
    return counted_cost(grid, global, cells, nodes);
  };
  for (const int ranks : {32, 1024}) {
    const Extents grid = choose_grid(ranks, global, 8), block = choose_block(grid, global, 8);
    const std::int64_t cost = ranks / 8 * exchange_cost(grid, block, global);
    EXPECT_LT(cost, in_order(grid, in_turn(ranks, 8)));
    EXPECT_LE(cost, in_order(grid, consecutive(ranks, 8)));
    EXPECT_EQ(cost < in_order(choose_grid(ranks, global), consecutive(ranks, 8)), ranks == 1024);
  }
  // Another grid than that of least surface, where its faces fit on nodes.
  EXPECT_EQ(choose_grid(12, {12, 8, 8, 8}), (Extents{3, 1, 1, 4}));
  EXPECT_EQ(choose_grid(12, {12, 8, 8, 8}, 6), (Extents{6, 1, 1, 2}));
  EXPECT_EQ(choose_block({6, 1, 1, 2}, {12, 8, 8, 8}, 6), (Extents{3, 1, 1, 2}));
  // Numbers that do not divide: blocks of their common divisor.
  EXPECT_EQ(choose_block({1, 1, 3, 4}, {24, 24, 24, 48}, 8), (Extents{1, 1, 1, 4}));
  EXPECT_EQ(choose_block({1, 1, 1, 5}, {10, 10, 10, 10}, 2), (Extents{1, 1, 1, 1}));
}

}  // namespace
}  // namespace plaq

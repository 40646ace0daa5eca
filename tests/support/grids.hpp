// Every process grid to try for the number of ranks that a test runs on.
#pragma once

#include <mpi.h>

#include "comms/communicator/node_map.hpp"
#include "comms/grid/process_grid.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/test.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {

inline bool splits_over_the_ranks(const Extents& extents) {
  return !allowed_grids(world_size(), extents).empty();
}

// One rank tries every case. Several ranks, among which only who has what is new, try one in `of`. Where
// grids are the outer loop, counting goes on from one to the next, so that every case is tried
// on some grid if there are enough.
class Turns {
 public:
  explicit Turns(int of) : of_(of) {}
  bool mine() { return turn_++ % of_ == 0 || world_size() == 1; }

 private:
  int of_, turn_ = 0;
};

// False between nodes, where the transport `peer` moves nothing.
inline bool on_one_node() {
  const auto nodes = nodes_of(Communicator(MPI_COMM_WORLD));
  return std::all_of(nodes.begin(), nodes.end(), [&](int n) { return n == nodes.front(); });
}

// All ranks in a row.
inline Extents line_of_ranks() { return {1, 1, 1, world_size()}; }

// The most different ones of the allowed grids, two at most: for tests that solve much, with operators that
// other tests apply on every grid.
inline std::vector<Extents> some_grids(const Extents& extents) {
  auto grids = allowed_grids(world_size(), extents);
  if (grids.size() > 2) grids = {grids.front(), grids.back()};
  return grids;
}

// Calls visit(grid, geometry, location) for these grids, each with these forced directions. Ranks are
// numbered t fastest where all are forced. Where there is no grid, the test is skipped.
template <class Visit>
void for_geometries(const Extents& extents, const std::vector<Extents>& grids,
                    const std::vector<std::uint32_t>& forces, Visit&& visit) {
  if (grids.empty()) GTEST_SKIP() << "no process grid of " << world_size() << " ranks";
  for (const auto& ranks : grids)
    for (const auto forced : forces) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks, {1, 1, 1, forced == 0 ? 1 : ranks[3]});
      const auto geometry = grid.geometry(extents, forced);
      for (const Location location : locations()) {
        SCOPED_TRACE(to_string(extents) + " on " + to_string(ranks) + " forced " + std::to_string(forced) +
                     " " + std::string(name_of(location)));
        visit(grid, geometry, location);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

// For all allowed grids, as they are, with every direction forced to exchange (with itself, where it is not
// split), and on one rank also with each direction alone.
template <class Visit>
void for_all_geometries(const Extents& extents, Visit&& visit) {
  std::vector<std::uint32_t> forces{0, 15};
  if (world_size() == 1) forces = {0, 1, 2, 4, 8, 15};
  for_geometries(extents, allowed_grids(world_size(), extents), forces, visit);
}

// For some_grids(), as they are and with every direction forced.
template <class Visit>
void for_some_geometries(const Extents& extents, Visit&& visit) {
  for_geometries(extents, some_grids(extents), {0, 15}, visit);
}

// For the first of these grids as it is and for the last one with every direction forced: for whole solves
// and trajectories, of operators that other tests apply on every grid.
template <class Visit>
void for_two_geometries(const Extents& extents, const std::vector<Extents>& grids, Visit&& visit) {
  if (grids.size() < 2) return for_geometries(extents, grids, {0, 15}, visit);
  for_geometries(extents, {grids.front()}, {0}, visit);
  if (!testing::Test::HasFatalFailure()) for_geometries(extents, {grids.back()}, {15}, visit);
}
template <class Visit>
void for_two_geometries(const Extents& extents, Visit&& visit) {
  for_two_geometries(extents, some_grids(extents), visit);
}

// Every process grid of `size` ranks over which a lattice splits, whatever the local extents.
inline std::vector<Extents> general_grids(int size, const Extents& extents) {
  std::vector<Extents> grids;
  for (int n = 0; n < size * size * size * size; ++n) {
    const Extents p = position_of(n, {size, size, size, size}), ranks{p[0] + 1, p[1] + 1, p[2] + 1, p[3] + 1};
    bool splits = ranks[0] * ranks[1] * ranks[2] * ranks[3] == size;
    for (std::size_t mu = 0; mu < 4; ++mu) splits = splits && extents[mu] % ranks[mu] == 0;
    if (splits) grids.push_back(ranks);
  }
  return grids;
}

// Visits like for_all_geometries, over general_grids and with geometries of any extents.
template <class Visit>
void for_all_general_geometries(const Extents& extents, LatticeOrder order, Visit&& visit,
                                const std::vector<std::uint32_t>& forces = {0, 15}) {
  for (const auto& ranks : general_grids(world_size(), extents))
    for (const std::uint32_t forced : forces) {
      const ProcessGrid grid(MPI_COMM_WORLD, ranks, {1, 1, 1, forced == 0 ? 1 : ranks[3]});
      const auto geometry = grid.general_geometry(extents, order, forced);
      for (const Location location : locations()) {
        SCOPED_TRACE(to_string(extents) + " on " + to_string(ranks) + " forced " + std::to_string(forced) +
                     (order == LatticeOrder::checkerboard ? " " : " without checkerboard ") +
                     std::string(name_of(location)));
        visit(grid, geometry, location);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

// Every number of ranks by direction that a grid can merge into one.
inline std::vector<Extents> merges(const Extents& ranks) {
  std::vector<Extents> all;
  const int count = ranks[0] * ranks[1] * ranks[2] * ranks[3];
  for (int n = 0; n < count; ++n) {
    const Extents p = position_of(n, ranks), merge{p[0] + 1, p[1] + 1, p[2] + 1, p[3] + 1};
    bool divides = true;
    for (std::size_t mu = 0; mu < 4; ++mu) divides = divides && ranks[mu] % merge[mu] == 0;
    if (divides) all.push_back(merge);
  }
  return all;
}

// Lattices with odd extents, and with local extents of 1 and odd ones on several ranks.
inline std::vector<std::pair<Extents, LatticeOrder>> general_lattices() {
  const LatticeOrder checkerboard = LatticeOrder::checkerboard, lexicographic = LatticeOrder::lexicographic;
  return {{{2, 6, 4, 2}, checkerboard},
          {{6, 2, 2, 10}, checkerboard},
          {{2, 4, 6, 4}, lexicographic},
          {{3, 1, 5, 8}, lexicographic},
          {{3, 2, 6, 1}, lexicographic}};
}

}  // namespace plaq::test

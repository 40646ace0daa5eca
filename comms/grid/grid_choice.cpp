#include "comms/grid/grid_choice.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "core/system/error.hpp"

namespace plaq {
namespace {

std::int64_t product(const Extents& e) { return std::int64_t{1} * e[0] * e[1] * e[2] * e[3]; }

std::string ranks_text(int n) { return std::to_string(n) + (n == 1 ? " rank" : " ranks"); }

// Calls visit(block) for every one of `size` ranks that tiles the grid.
template <class Visit>
void for_each_block(const Extents& grid, int size, Visit&& visit) {
  const auto tiles = [&](int part, std::size_t mu, int rest) {
    return grid[mu] % part == 0 && rest % part == 0;
  };
  for (int t = 1; t <= std::min(size, grid[3]); ++t) {
    if (!tiles(t, 3, size)) continue;
    for (int z = 1; z <= std::min(size / t, grid[2]); ++z) {
      if (!tiles(z, 2, size / t)) continue;
      for (int y = 1; y <= std::min(size / t / z, grid[1]); ++y) {
        if (!tiles(y, 1, size / t / z)) continue;
        const int x = size / t / z / y;
        if (tiles(x, 0, x)) visit(Extents{x, y, z, t});
      }
    }
  }
}

// Numbers of ranks, ascending, that may split a direction of `extent` sites.
std::vector<int> allowed_splits(int extent, int least_slices) {
  std::vector<int> splits;
  const auto add = [&](int ranks) {
    const int local = extent / ranks;
    if (local % 2 == 0 && (ranks == 1 || local >= least_slices)) splits.push_back(ranks);
  };
  for (int divisor = 1; divisor <= extent / divisor; ++divisor) {
    if (extent % divisor != 0) continue;
    add(divisor);
    if (divisor != extent / divisor) add(extent / divisor);
  }
  std::sort(splits.begin(), splits.end());
  return splits;
}

// Calls visit(grid) for every grid of any size over which the lattice splits, x fastest.
template <class Visit>
void for_each_allowed_grid(const Extents& global, int least_slices, Visit&& visit) {
  std::array<std::vector<int>, 4> splits;
  for (std::size_t mu = 0; mu < 4; ++mu) splits[mu] = allowed_splits(global[mu], least_slices);
  for (const int t : splits[3])
    for (const int z : splits[2])
      for (const int y : splits[1])
        for (const int x : splits[0]) visit(Extents{x, y, z, t});
}

// The largest number of ranks below `size` that has a grid; 0: none.
std::int64_t next_smaller_size(int size, const Extents& global, int least_slices) {
  std::int64_t found = 0;
  for_each_allowed_grid(global, least_slices, [&](const Extents& grid) {
    if (product(grid) < size) found = std::max(found, product(grid));
  });
  return found;
}

}  // namespace

void check_grid(const Extents& ranks, int size) {
  const std::int64_t found = product(ranks);
  if (*std::min_element(ranks.begin(), ranks.end()) < 1 || found != size)
    throw Error(ErrorKind::job_file, "process grid " + to_string(ranks) + " needs " + std::to_string(found) +
                                         " ranks, but there are " + std::to_string(size));
}

std::vector<Extents> allowed_grids(int size, const Extents& global, int least_slices) {
  std::vector<Extents> grids;
  for_each_allowed_grid(global, least_slices, [&](const Extents& grid) {
    if (product(grid) == size) grids.push_back(grid);
  });
  return grids;
}

void check_slices(const Extents& grid, const Extents& global, int least_slices, std::uint32_t forced) {
  Extents local;
  bool fits = true;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    local[mu] = global[mu] / grid[mu];
    const bool split = grid[mu] > 1 || ((forced >> mu) & 1u) != 0;
    fits = fits && (!split || local[mu] >= least_slices);
  }
  if (fits) return;
  const auto size = static_cast<int>(product(grid));
  std::string would = "no grid of " + ranks_text(size) + " would do";
  if (forced != 0)
    would += " where directions are forced";
  else if (!allowed_grids(size, global, least_slices).empty())
    would = to_string(choose_grid(size, global, 0, least_slices)) + " would do";
  throw Error(ErrorKind::job_file, "process grid " + to_string(grid) + " gives each rank " +
                                       to_string(local) + " of the lattice " + to_string(global) +
                                       ": the action needs at least " + std::to_string(least_slices) +
                                       " slices a rank in every direction that is split over ranks; " +
                                       would);
}

std::int64_t exchange_cost(const Extents& grid, const Extents& block, const Extents& global) {
  std::int64_t volume = 1, cost = 0;
  for (std::size_t mu = 0; mu < 4; ++mu) volume *= global[mu] / grid[mu];
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (grid[mu] == 1) continue;
    const std::int64_t face = volume / (global[mu] / grid[mu]), faces = product(block);
    const std::int64_t between_nodes = block[mu] < grid[mu] ? faces / block[mu] : 0;
    cost += face * (faces + (network_weight - 1) * between_nodes);
  }
  return cost;
}

Extents choose_block(const Extents& grid, const Extents& global, int ranks_per_node) {
  const auto size = static_cast<int>(product(grid));
  const int wanted = ranks_per_node > 0 ? std::gcd(ranks_per_node, size) : size;
  Extents best = grid;
  std::int64_t least = -1;
  for_each_block(grid, wanted, [&](const Extents& block) {
    const std::int64_t cost = exchange_cost(grid, block, global);
    if (least < 0 || cost < least || (cost == least && block > best)) best = block, least = cost;
  });
  return best;
}

Extents choose_grid(int size, const Extents& global, int ranks_per_node, int least_slices) {
  const auto grids = allowed_grids(size, global, least_slices);
  if (grids.empty()) {
    const auto fewer = static_cast<int>(next_smaller_size(size, global, least_slices));
    std::string needs;
    if (least_slices > usual_least_slices) {
      needs = ", with at least " + std::to_string(least_slices) + " slices a rank where it is split";
      if (!allowed_grids(size, global).empty())
        needs += "; " + to_string(choose_grid(size, global, ranks_per_node)) + " would leave fewer";
    }
    const std::string hint = fewer > 0 ? "; " + ranks_text(fewer) + " would work" : std::string();
    throw Error(ErrorKind::job_file, "lattice " + to_string(global) + " does not split over " +
                                         ranks_text(size) + " into even local extents" + needs + hint);
  }
  const auto cost = [&](const Extents& grid) {
    return exchange_cost(grid, choose_block(grid, global, ranks_per_node), global);
  };
  Extents best = grids.front();
  std::int64_t least = cost(best);
  for (const Extents& grid : grids) {
    const std::int64_t c = cost(grid);
    const bool more_in_t =
        std::lexicographical_compare(best.rbegin(), best.rend(), grid.rbegin(), grid.rend());
    if (c < least || (c == least && more_in_t)) best = grid, least = c;  // more ranks in t, then z, y
  }
  return best;
}

Extents position_of(int cell, const Extents& grid) {
  Extents p;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    p[mu] = cell % grid[mu];
    cell /= grid[mu];
  }
  return p;
}

int cell_of(const Extents& p, const Extents& grid) {
  return p[0] + grid[0] * (p[1] + grid[1] * (p[2] + grid[2] * p[3]));
}

std::vector<int> cells_of_ranks(const Extents& grid, const Extents& block, const std::vector<int>& nodes) {
  Extents blocks;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    require(block[mu] > 0 && grid[mu] % block[mu] == 0,
            "a block of ranks that does not tile the process grid");
    blocks[mu] = grid[mu] / block[mu];
  }
  require(product(grid) == static_cast<std::int64_t>(nodes.size()), "a process grid of another size");
  std::vector<int> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return nodes[static_cast<std::size_t>(a)] < nodes[static_cast<std::size_t>(b)];
  });
  const auto size = static_cast<int>(product(block));
  std::vector<int> cells(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int number = static_cast<int>(i);
    const Extents outer = position_of(number / size, blocks), inner = position_of(number % size, block);
    Extents position;
    for (std::size_t mu = 0; mu < 4; ++mu) position[mu] = outer[mu] * block[mu] + inner[mu];
    cells[static_cast<std::size_t>(order[i])] = cell_of(position, grid);
  }
  return cells;
}

}  // namespace plaq

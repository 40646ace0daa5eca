// Geometries to try: every kind of local shape, position in a process grid, forced direction and halo depth.
#pragma once

#include "core/lattice/geometry.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

// With the Decomposition and the depth of the halo in words, for SCOPED_TRACE.
inline std::string describe(const Geometry& g) {
  const auto& d = g.decomposition();
  return to_string(d.global) + " on " + to_string(d.ranks) + " at " + to_string(d.position) + " forced " +
         std::to_string(d.forced) + " halo " + std::to_string(g.halo_depth()) +
         (g.order() == LatticeOrder::lexicographic ? " without checkerboard" : "");
}

inline std::vector<Decomposition> decompositions() {
  return {
      {{2, 2, 2, 2}, {1, 1, 1, 1}, {0, 0, 0, 0}, 0},   {{2, 2, 2, 2}, {1, 1, 1, 1}, {0, 0, 0, 0}, 15},
      {{6, 2, 10, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, 0},  {{6, 2, 10, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, 5},
      {{6, 2, 10, 4}, {3, 1, 5, 2}, {2, 0, 3, 1}, 0},  {{6, 2, 10, 4}, {3, 1, 5, 2}, {1, 0, 0, 0}, 15},
      {{10, 6, 2, 14}, {1, 1, 1, 1}, {0, 0, 0, 0}, 8}, {{8, 12, 4, 6}, {2, 3, 1, 1}, {1, 2, 0, 0}, 0},
      {{8, 12, 4, 6}, {1, 2, 2, 3}, {0, 1, 0, 1}, 0},  {{4, 4, 4, 8}, {2, 2, 2, 4}, {1, 0, 1, 3}, 0},
      {{14, 2, 6, 2}, {1, 1, 3, 1}, {0, 0, 1, 0}, 9},  {{6, 6, 6, 6}, {3, 3, 3, 3}, {1, 2, 0, 1}, 0},
      {{4, 4, 4, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, 3},
  };
}

// All of them plain, and extended by 1 and 2 slices.
inline std::vector<GeometryPtr> geometries() {
  std::vector<GeometryPtr> all;
  for (const auto& d : decompositions()) {
    const auto plain = Geometry::create(d);
    all.push_back(plain);
    for (int depth = 1; depth <= 2; ++depth)
      if (plain->any_partitioned()) all.push_back(plain->extended(depth));
  }
  return all;
}

// Odd extents, extents of 1 a rank, volumes that the parities do not share alike; with a checkerboard where
// `order` says so.
inline std::vector<Decomposition> general_decompositions(LatticeOrder order) {
  if (order == LatticeOrder::lexicographic)
    return {
        {{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, 0}, {{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, 15},
        {{3, 5, 1, 6}, {1, 1, 1, 1}, {0, 0, 0, 0}, 0}, {{3, 5, 1, 6}, {3, 1, 1, 2}, {2, 0, 0, 1}, 0},
        {{3, 5, 7, 2}, {1, 5, 1, 1}, {0, 3, 0, 0}, 9}, {{4, 2, 6, 4}, {1, 2, 1, 1}, {0, 1, 0, 0}, 0},
        {{7, 1, 3, 9}, {7, 1, 1, 3}, {4, 0, 0, 2}, 2},
    };
  return {
      {{2, 2, 2, 2}, {2, 2, 2, 2}, {1, 1, 0, 1}, 0},  {{2, 6, 4, 2}, {2, 2, 1, 1}, {1, 0, 0, 0}, 0},
      {{2, 6, 4, 2}, {2, 2, 1, 1}, {0, 1, 0, 0}, 15}, {{6, 6, 6, 6}, {2, 2, 2, 2}, {1, 0, 1, 1}, 0},
      {{6, 6, 6, 6}, {2, 2, 2, 2}, {1, 0, 1, 0}, 0},  {{6, 2, 2, 10}, {2, 2, 2, 2}, {0, 1, 0, 0}, 0},
      {{6, 4, 10, 4}, {2, 1, 5, 2}, {1, 0, 3, 1}, 2}, {{4, 6, 6, 2}, {1, 2, 2, 1}, {0, 1, 0, 0}, 0},
      {{6, 2, 4, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, 0},  {{10, 6, 2, 2}, {2, 2, 1, 1}, {1, 0, 0, 0}, 4},
  };
}

inline std::vector<GeometryPtr> general_geometries() {
  std::vector<GeometryPtr> all;
  for (const LatticeOrder order : {LatticeOrder::checkerboard, LatticeOrder::lexicographic})
    for (const auto& d : general_decompositions(order)) all.push_back(Geometry::create_general(d, order));
  return all;
}

}  // namespace plaq::test

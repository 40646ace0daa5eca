// Checks that results on every process grid are those of one rank alone.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "tests/support/first_rank.hpp"
#include "tests/support/grids.hpp"

namespace plaq::test {

// A visitor for for_all_geometries and the like: result(grid, geometry, location) is there what it is where
// the first rank has the whole lattice. A number, or vectors of such; of floating
// point to the last bit. Collective.
template <class Result>
auto same_as_alone(const Extents& extents, Result result) {
  std::map<Location, decltype(result(std::declval<const ProcessGrid&>(), GeometryPtr(), Location::host))>
      alone;
  for (const Location location : locations())
    alone.emplace(location, from_first_rank([&] {
                    const ProcessGrid self(MPI_COMM_SELF, {1, 1, 1, 1});
                    return result(self, self.geometry(extents), location);
                  }));
  return [=](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
    EXPECT_EQ(result(grid, geometry, location), alone.at(location));
  };
}

}  // namespace plaq::test

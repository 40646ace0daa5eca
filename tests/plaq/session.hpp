// A Session for tests, on each location that the machine has.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "comms/grid/grid_choice.hpp"
#include "plaq/plaq.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/world.hpp"

namespace plaq::test {

struct TestSession {
  int argc = 0;
  char** argv = nullptr;
  Session session;
  explicit TestSession(Location location = Location::host)
      : session(argc, argv,
                {.location = std::string(name_of(location)), .threads = 1, .tuning = false, .watchdog = 0}) {}
};

// True if the ranks of the test can share the lattice.
inline bool fits(const Extents& extents) { return !allowed_grids(world_size(), extents).empty(); }

// Calls visit(lattice) at every location, for each of these process grids.
template <class Visit>
void for_lattices(const Extents& extents, const std::vector<Extents>& grids, Visit&& visit) {
  if (grids.empty()) GTEST_SKIP() << "no process grid of this many ranks";
  for (const Location location : locations()) {
    const TestSession test(location);
    for (const Extents& grid : grids) {
      SCOPED_TRACE(to_string(grid) + " " + std::string(name_of(location)));
      visit(Lattice(test.session, extents, {.process_grid = grid}));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// For every process grid of the ranks.
template <class Visit>
void for_all_lattices(const Extents& extents, Visit&& visit) {
  for_lattices(extents, allowed_grids(world_size(), extents), visit);
}

// For two of the process grids at most: for tests that solve much.
template <class Visit>
void for_some_lattices(const Extents& extents, Visit&& visit) {
  for_lattices(extents, some_grids(extents), visit);
}

// For one of them, on 4 ranks the most different one from that on 2.
template <class Visit>
void for_one_lattice(const Extents& extents, Visit&& visit) {
  std::vector<Extents> grids = some_grids(extents);
  if (grids.size() > 1) grids = {world_size() == 2 ? grids.front() : grids.back()};
  for_lattices(extents, grids, visit);
}

// A number that tells sites and components apart.
inline std::complex<double> number_at(const Extents& x, int k) {
  return {std::sin(1.0 + x[0] + 3 * x[1] + 7 * x[2] + 13 * x[3] + 0.1 * k),
          std::cos(2.0 * x[0] + x[1] - x[2] + 5 * x[3] - k)};
}

template <class T>
HostField<T> numbers_on(const Lattice& lattice, int count = 1) {
  HostField<T> made(lattice, count);
  for (const LocalSite& site : lattice.local_sites())
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < T::rows * T::columns; ++i)
        made(k, site.index).values[static_cast<std::size_t>(i)] = number_at(site.x, 100 * k + i);
  return made;
}

inline Extents neighbour(const Lattice& lattice, Extents x, Hop hop) {
  const auto mu = static_cast<std::size_t>(hop.mu);
  const int n = lattice.extents()[mu];
  x[mu] = (x[mu] + (hop.forward ? 1 : n - 1)) % n;
  return x;
}

}  // namespace plaq::test

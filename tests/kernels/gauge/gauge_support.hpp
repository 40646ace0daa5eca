// Gauge fields between plaq and the reference, and the process grids to try.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/convert.hpp"
#include "tests/support/first_rank.hpp"

namespace plaq::test {

struct GridCase {
  Extents ranks;
  std::uint32_t forced;
};

// Calls test(grid, extended geometry, location) on all process grids of this number of ranks; on one rank
// also with directions that exchange with themselves.
template <class Test>
void for_all_grids(const Extents& extents, Test&& test) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<GridCase> cases;
  for (const auto& ranks : allowed_grids(size, extents)) cases.push_back({ranks, 0});
  if (size == 1)
    for (const std::uint32_t forced : {1u, 2u, 4u, 8u, 15u}) cases.push_back({{1, 1, 1, 1}, forced});
  for (const auto& c : cases) {
    const ProcessGrid grid(MPI_COMM_WORLD, c.ranks);
    const auto geometry = grid.geometry(extents, c.forced)->extended(1);
    for (const Location location : locations()) {
      SCOPED_TRACE(to_string(extents) + " on " + to_string(c.ranks) + " forced " + std::to_string(c.forced) +
                   " " + std::string(name_of(location)));
      test(grid, geometry, location);
    }
  }
}

inline reference::ColorMatrix link(const Field& host, int mu, int parity, int site) {
  reference::ColorMatrix u;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int r = 2 * (3 * i + j);
      u(i, j) = {get_real(host, mu, parity, site, r), get_real(host, mu, parity, site, r + 1)};
    }
  return u;
}

// The whole lattice, from a field that is not split over ranks.
inline reference::GaugeField to_reference(const Field& field) {
  const Field host = on_host(field);
  reference::GaugeField gauge(lattice_of(field.geometry()));
  for_stored_sites(field.geometry(), [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu)
      gauge.link[static_cast<std::size_t>(site)][static_cast<std::size_t>(mu)] = link(host, mu, parity, s);
  });
  return gauge;
}

// make() of the first rank.
template <class Make>
reference::GaugeField links_from_first_rank(const reference::Lattice& lattice, const Make& make) {
  reference::GaugeField gauge(lattice);
  gauge.link = from_first_rank([&] { return make().link; });
  return gauge;
}

inline constexpr Precision both_precisions[] = {Precision::double_precision, Precision::single_precision};

}  // namespace plaq::test

// Gauge fields between plaq and the reference, and the process grids to try.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq::test {

// Calls test(grid, extended geometry, location) on all process grids of this number of ranks; on one rank
// also with directions that exchange with themselves.
template <class Test>
void for_all_grids(const Extents& extents, Test&& test) {
  for_all_geometries(extents, [&](const ProcessGrid& grid, const GeometryPtr& g, Location location) {
    if (grid.size() == 1 || g->decomposition().forced == 0) test(grid, g->extended(1), location);
  });
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
    for (int mu = 0; mu < 4; ++mu) gauge.link[site][mu] = link(host, mu, parity, s);
  });
  return gauge;
}

// Largest difference over all stored links, the halo included; not a number where one is.
inline double distance(const Field& field, const reference::GaugeField& expected) {
  const Field host = on_host(field);
  double most = 0;
  for_stored_sites(field.geometry(), [&](int parity, int s, int site) {
    for (int mu = 0; mu < 4; ++mu) {
      const auto& u = expected.link[site][mu];
      const double off = reference::max_difference(link(host, mu, parity, s), u);
      if (!(off <= most) && most == most) most = off;
    }
  });
  return most;
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

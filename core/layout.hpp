// Where a real component of a site is in memory: the one place that knows.
//
//   device: chunks of up to 16 bytes, chunk slowest:  (chunk * site_stride + site) * chunk_reals + real in
//   chunk host:   blocks of 16 sites, block slowest:         (block * reals + real) * 16 + site in block
#pragma once

#include <cstddef>

#include "core/arch.hpp"
#include "core/location.hpp"

namespace plaq {

// Reals that one thread moves at once: the largest power of two that divides `reals` and fits 16 bytes.
constexpr int chunk_reals(int reals, int bytes_per_real) {
  int chunk = 1;
  while (2 * chunk * bytes_per_real <= 16 && reals % (2 * chunk) == 0) chunk *= 2;
  return chunk;
}

struct Layout {
  Location location = Location::host;
  int reals = 0;        // per site
  int sites = 0;        // stored sites (of one parity)
  int site_stride = 0;  // sites rounded up
  int chunk = 1;        // device only

  Layout() = default;
  Layout(Location where, int reals_per_site, int site_count, int bytes_per_real)
      : location(where), reals(reals_per_site), sites(site_count) {
    const int unit = where == Location::host ? host_site_block : 32;
    site_stride = (site_count + unit - 1) / unit * unit;
    chunk = where == Location::host ? 1 : chunk_reals(reals_per_site, bytes_per_real);
  }
  // Reals of all sites, padding included.
  std::size_t size() const { return static_cast<std::size_t>(reals) * static_cast<std::size_t>(site_stride); }

  std::size_t offset(int site, int real) const {
    const auto s = static_cast<std::size_t>(site), r = static_cast<std::size_t>(real);
    if (location == Location::host) {
      const std::size_t block = s / host_site_block, lane = s % host_site_block;
      return (block * static_cast<std::size_t>(reals) + r) * host_site_block + lane;
    }
    const auto c = static_cast<std::size_t>(chunk);
    return ((r / c) * static_cast<std::size_t>(site_stride) + s) * c + r % c;
  }
};

}  // namespace plaq

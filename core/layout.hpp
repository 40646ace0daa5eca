// Where a real component of a site is in memory: the one place that knows.
//
//   groups of G sites, group slowest; in a group chunks of R reals of one site, chunk slowest:
//           (group * reals + chunk * R) * G + site in group * R + real in chunk
//   device  G = 32, a warp; R: up to 16 bytes, what a thread moves at once
//   host    G = host_site_block(bytes of a real), R = 1
// A site's quantum (16-bit storage, core/fixed16.hpp) is a float; those of a group stand behind its reals.
// All offsets count units of one stored real.
#pragma once

#include <bit>
#include <cstddef>

#include "core/location.hpp"

namespace plaq {

// Reals that one thread moves at once: the largest power of two that divides `reals` and fits 16 bytes.
constexpr int chunk_reals(int reals, int bytes_per_real) {
  int chunk = 1;
  while (2 * chunk * bytes_per_real <= 16 && reals % (2 * chunk) == 0) chunk *= 2;
  return chunk;
}

inline constexpr int device_site_group = 32;

// Sites are stored on the host in blocks of this many, each real component of a block contiguous: a block is
// read from end to end, as hardware prefetchers like it. A component of a block is one cache line, or half of
// one in 16-bit storage: of two, every other one would be used at a time, and so half of a cache's sets.
constexpr int host_site_block(int bytes_per_real) { return bytes_per_real == 8 ? 8 : 16; }
inline constexpr int host_site_padding = 16;  // a field's sites are rounded up to a multiple

struct Layout {
  Location location = Location::host;
  int reals = 0;          // per site
  int sites = 0;          // stored sites (of one parity)
  int padded_sites = 0;   // sites rounded up
  int chunk = 1;          // reals
  int group_bits = 0;     // a group has 2^group_bits sites
  int quantum_units = 0;  // units that a site's quantum takes; 0: it has none

  Layout() = default;
  Layout(Location where, int reals_per_site, int site_count, int bytes_per_real, bool with_quantum = false)
      : location(where), reals(reals_per_site), sites(site_count) {
    const bool host = where == Location::host;
    const int unit = host ? host_site_padding : device_site_group;
    group_bits =
        std::countr_zero(static_cast<unsigned>(host ? host_site_block(bytes_per_real) : device_site_group));
    padded_sites = (site_count + unit - 1) / unit * unit;
    chunk = host ? 1 : chunk_reals(reals_per_site, bytes_per_real);
    if (with_quantum) quantum_units = static_cast<int>(sizeof(float)) / bytes_per_real;
  }
  // Units of all sites, padding included.
  std::size_t size() const {
    return static_cast<std::size_t>(reals + quantum_units) * static_cast<std::size_t>(padded_sites);
  }

  std::size_t offset(int site, int real) const {
    const auto s = static_cast<std::size_t>(site), r = static_cast<std::size_t>(real);
    const auto c = static_cast<std::size_t>(chunk);
    return in_group(s, r / c * c) + in(s)*c + r % c;
  }
  // Of the float that is a site's quantum.
  std::size_t quantum_offset(int site) const {
    const auto s = static_cast<std::size_t>(site);
    return in_group(s, static_cast<std::size_t>(reals)) + static_cast<std::size_t>(quantum_units) * in(s);
  }

 private:
  // Place of a site in its group.
  std::size_t in(std::size_t site) const { return site & ((std::size_t{1} << group_bits) - 1); }
  // A real of the first site in a site's group.
  std::size_t in_group(std::size_t site, std::size_t real) const {
    return ((site >> group_bits) * static_cast<std::size_t>(reals + quantum_units) + real) << group_bits;
  }
};

}  // namespace plaq

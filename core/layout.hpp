// Where a real component of a site is in memory: the one place that knows.
//
//   device  chunks of up to 16 bytes, chunk slowest:
//           (chunk * site_stride + site) * chunk_reals + real in chunk
//   host    blocks of B sites, block slowest, B = host_site_block(bytes of a real):
//           (block * reals + real) * B + site in block
// A site's quantum (16-bit storage, core/fixed16.hpp) is a float: on a device in an array behind the chunks,
// on the host behind the reals of its block. All offsets count units of one stored real.
#pragma once

#include <bit>
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
  int reals = 0;          // per site
  int sites = 0;          // stored sites (of one parity)
  int site_stride = 0;    // sites rounded up
  int chunk = 1;          // device only
  int block_bits = 0;     // host only: a block has 2^block_bits sites
  int quantum_units = 0;  // units that a site's quantum takes; 0: it has none

  Layout() = default;
  Layout(Location where, int reals_per_site, int site_count, int bytes_per_real, bool with_quantum = false)
      : location(where), reals(reals_per_site), sites(site_count) {
    const int unit = where == Location::host ? host_site_padding : 32;
    block_bits = std::countr_zero(static_cast<unsigned>(host_site_block(bytes_per_real)));
    site_stride = (site_count + unit - 1) / unit * unit;
    chunk = where == Location::host ? 1 : chunk_reals(reals_per_site, bytes_per_real);
    if (with_quantum) quantum_units = static_cast<int>(sizeof(float)) / bytes_per_real;
  }
  // Units of all sites, padding included.
  std::size_t size() const { return static_cast<std::size_t>(reals + quantum_units) * stride(); }

  std::size_t offset(int site, int real) const {
    const auto s = static_cast<std::size_t>(site), r = static_cast<std::size_t>(real);
    if (location == Location::host) return in_block(s, r) + (s & (block_sites() - 1));
    const auto c = static_cast<std::size_t>(chunk);
    return ((r / c) * stride() + s) * c + r % c;
  }
  // Of the float that is a site's quantum.
  std::size_t quantum_offset(int site) const {
    const auto s = static_cast<std::size_t>(site), r = static_cast<std::size_t>(reals);
    const auto units = static_cast<std::size_t>(quantum_units);
    if (location == Location::host) return in_block(s, r) + units * (s & (block_sites() - 1));
    return r * stride() + units * s;
  }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(site_stride); }
  std::size_t block_sites() const { return std::size_t{1} << block_bits; }
  // A real of the first site in a site's block.
  std::size_t in_block(std::size_t site, std::size_t real) const {
    return ((site >> block_bits) * static_cast<std::size_t>(reals + quantum_units) + real) << block_bits;
  }
};

}  // namespace plaq

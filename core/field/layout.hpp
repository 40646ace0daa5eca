// Layout of fields: the place of each real component of a site in memory, defined here alone.
//
//   groups of G sites, group slowest; in a group chunks of R reals of one site, chunk slowest:
//           (group * reals + chunk * R) * G + site in group * R + real in chunk
//   device  G = 32, a warp; R: up to 16 bytes, what a thread moves at once
//   host    G = host_site_block(bytes of a real), R = 1
//
// With right-hand sides fastest, on both machines alike: sites, then chunks of one complex number, then
// right-hand sides, padded to a multiple of 8; real r of right-hand side k at ((site * reals + r / 2 * 2) *
// K + 2 k + r % 2).
//
// A site's scale (16- and 8-bit storage, core/field/fixed16.hpp) is a float; those of a group stand behind
// its reals, or, with right-hand sides fastest, those of a site. All offsets count units of one stored real.
#pragma once

#include <bit>
#include <cstddef>

#include "core/launch/target.hpp"
#include "core/system/location.hpp"

namespace plaq {

/// Reals that one thread moves at once: the largest power of two that divides `reals` and fits 16 bytes.
constexpr int chunk_reals(int reals, int bytes_per_real) {
  int chunk = 1;
  while (2 * chunk * bytes_per_real <= 16 && reals % (2 * chunk) == 0) chunk *= 2;
  return chunk;
}

inline constexpr int device_site_group = 32;  ///< sites of a group on a device
/// Right-hand sides are padded to a multiple of it, if they are fastest.
inline constexpr int right_hand_side_padding = 8;

/// Numbers that are beside each other in memory: those of neighbouring sites, or of right-hand sides.
enum class Order { sites_fastest, right_hand_sides_fastest };

/// Sites are stored on the host in blocks of this many, each real component of a block contiguous: a block
/// is read from end to end, as hardware prefetchers like it. A component of a block is one cache line, or
/// half of one in 16-bit storage: of two, every other one would be used at a time, and so half of a cache's
/// sets.
constexpr int host_site_block(int bytes_per_real) { return bytes_per_real == 8 ? 8 : 16; }
inline constexpr int host_site_padding = 16;  ///< a field's sites are padded to a multiple of it

/// Places of the numbers of one parity in memory.
struct Layout {
  Location location = Location::host;  ///< host or device
  Order order = Order::sites_fastest;  ///< what is contiguous
  int reals = 0;                       ///< reals of a site
  int sites = 0;                       ///< stored sites (of one parity)
  int padded_sites = 0;                ///< sites with their padding
  int chunk = 1;                       ///< reals of one site that are beside each other
  int group_bits = 0;                  ///< a group has 2^group_bits sites
  int lanes = 1;  ///< chunks of a kind in a group: its sites, or a site's right-hand sides with their padding
  int scale_units = 0;  ///< units that a site's scale takes; 0: it has none

  /// A layout of nothing.
  Layout() = default;
  /// Layout with sites fastest.
  /// @param where  host or device
  /// @param reals_per_site  reals of a site
  /// @param site_count  stored sites of one parity
  /// @param bytes_per_real  bytes of a stored real
  /// @param with_scale  true if each site has a scale
  Layout(Location where, int reals_per_site, int site_count, int bytes_per_real, bool with_scale = false)
      : location(where), reals(reals_per_site), sites(site_count) {
    const bool host = where == Location::host;
    const int unit = host ? host_site_padding : device_site_group;
    group_bits =
        std::countr_zero(static_cast<unsigned>(host ? host_site_block(bytes_per_real) : device_site_group));
    lanes = 1 << group_bits;
    padded_sites = (site_count + unit - 1) / unit * unit;
    chunk = host ? 1 : chunk_reals(reals_per_site, bytes_per_real);
    if (with_scale) scale_units = static_cast<int>(sizeof(float)) / bytes_per_real;
  }
  /// `reals_per_site` is even; a scale takes two units or more.
  /// @param where  host or device
  /// @param reals_per_site  reals of a site and right-hand side
  /// @param site_count  stored sites of one parity
  /// @param right_hand_sides  without padding
  /// @param bytes_per_real  bytes of a stored real
  /// @param with_scale  true if each site has a scale
  static Layout right_hand_sides_fastest(Location where, int reals_per_site, int site_count,
                                         int right_hand_sides, int bytes_per_real, bool with_scale) {
    Layout layout(where, reals_per_site, site_count, bytes_per_real, with_scale);
    constexpr int unit = right_hand_side_padding;
    layout.order = Order::right_hand_sides_fastest;
    layout.padded_sites = site_count;
    layout.chunk = 2;
    layout.group_bits = 0;
    layout.lanes = (right_hand_sides + unit - 1) / unit * unit;
    return layout;
  }
  /// Units of all sites of one subfield, padding included; with right-hand sides fastest, of all of them.
  std::size_t size() const {
    return static_cast<std::size_t>(reals + scale_units) *
           (static_cast<std::size_t>(padded_sites) >> group_bits) * static_cast<std::size_t>(lanes);
  }

  /// Both from the start of the subfield (Field::data).
  PLAQ_HD std::size_t offset(int site, int real) const {
    const auto r = static_cast<unsigned>(real), c = static_cast<unsigned>(chunk), within = r & (c - 1);
    return in_group(site, r - within) + in(site)*c + within;
  }
  /// Offset of the float that is a site's scale. With right-hand sides fastest, it counts from the start of
  /// subfield k, which is at 2 k units.
  PLAQ_HD std::size_t scale_offset(int site, int subfield = 0) const {
    const std::size_t first =
        in_group(site, static_cast<unsigned>(reals)) + static_cast<unsigned>(scale_units) * in(site);
    return order == Order::sites_fastest ? first
                                         : first + static_cast<unsigned>((scale_units - 2) * subfield);
  }

 private:
  // Place of a site in its group.
  PLAQ_HD std::size_t in(int site) const { return static_cast<unsigned>(site) & ((1u << group_bits) - 1); }
  // A real of the first site in a site's group.
  PLAQ_HD std::size_t in_group(int site, unsigned real) const {
    const std::size_t group = static_cast<unsigned>(site) >> group_bits;
    return (group * static_cast<unsigned>(reals + scale_units) + real) * static_cast<unsigned>(lanes);
  }
};

}  // namespace plaq

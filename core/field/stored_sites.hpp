// The numbers of sites as they are stored, bit for bit, out of and into memory without any layout: for sites
// that move to another rank or to another machine.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// Its reals, then its scale where it has one.
std::size_t stored_site_bytes(const FieldSpec& spec);

// A box of a lattice's sites, in the order that they have in a lattice of their own.
struct SiteBox {
  GeneralShape shape;    // that one
  Coordinates corner{};  // of its first site

  SiteBox() = default;
  SiteBox(const GeneralShape& of_box, const GeneralShape& lattice, const Coordinates& at)
      : shape(of_box), corner(at) {
    shape.origin_parity = lattice.parity(at);
  }
};

// Memory of a subfield: its parities, in each the sites of the box, and an unused place where the box has a
// site less of one parity than of the other.
std::size_t packed_bytes(const FieldSpec& spec, const SiteBox& box);

// The order of sites in `packed`: by parity, each in checkerboard order; or x fastest, then y, z, t, for
// fields of all parities.
enum class PackedOrder { checkerboard, lexicographic };

// Packs the active subfields one after the other into `packed`, at the field's location. Queued.
void pack_sites(const Field& field, const SiteBox& box, const ActiveSet& subfields, void* packed,
                const Queue& queue, PackedOrder order = PackedOrder::checkerboard);
void unpack_sites(Field& field, const SiteBox& box, const ActiveSet& subfields, const void* packed,
                  const Queue& queue, PackedOrder order = PackedOrder::checkerboard);

// The planes of one copy between a field and two contiguous buffers, for the halos of both sides of a
// direction: for each of `depth` slices from x_mu = first[side] on, each listed subfield and parity.
struct HaloPlanes {
  static constexpr int most_subfields = 32;
  int mu = 0, depth = 1;
  std::array<int, 2> first{};
  int subfield_count = 0, parity_count = 0;
  std::array<int, most_subfields> subfields{};
  std::array<int, 2> parities{};

  PLAQ_HD int count() const { return depth * subfield_count * parity_count; }  // of a side
};

// Bytes of one plane in the buffer, padding included.
std::size_t plane_bytes(const Field& like, int mu);
// Queued on `queue`. The buffers, of each side, are at the field's location.
void copy_halo_planes(const Field& field, const HaloPlanes& planes, const std::array<void*, 2>& buffers,
                      bool to_buffers, const Queue& queue);

}  // namespace plaq

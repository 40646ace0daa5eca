// Copies slices of a field to and from a contiguous buffer, for halos.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// The planes of one copy: for each of `depth` slices from x_mu = first on, each listed subfield and parity.
struct HaloPlanes {
  static constexpr int most_subfields = 12;
  int mu = 0, first = 0, depth = 1;
  int subfield_count = 0, parity_count = 0;
  std::array<int, most_subfields> subfields{};
  std::array<int, 2> parities{};

  int count() const { return depth * subfield_count * parity_count; }
};

// Bytes of one plane in the buffer, padding included.
std::size_t plane_bytes(const Field& like, int mu);
// Queued on `queue`. The buffer is at the field's location.
void copy_halo_planes(const Field& field, const HaloPlanes& planes, void* buffer, bool to_buffer,
                      const Queue& queue);

}  // namespace plaq

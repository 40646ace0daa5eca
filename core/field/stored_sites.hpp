// The numbers of single sites as they are stored, bit for bit, out of and into memory without any layout: for
// sites that move to another rank.
#pragma once

#include <span>

#include "core/field/field.hpp"

namespace plaq {

// Its reals, then its scale where it has one.
std::size_t stored_site_bytes(const FieldSpec& spec);

// Of fields on the host. `sites`: checkerboard indices; their bytes follow each other in `buffer`.
void pack_sites(const Field& field, int subfield, int parity, std::span<const int> sites, void* buffer);
void unpack_sites(Field& field, int subfield, int parity, std::span<const int> sites, const void* buffer);

}  // namespace plaq

// The launches that copy numbers of fields on one machine: between storages, and to and from memory without a
// layout (core/field/stored_sites.hpp).
#pragma once

#include "core/field/field.hpp"
#include "core/field/stored_sites.hpp"

namespace plaq {

// Converts fields on the same sites; storages in half precision have a scale. Gives the bits of a copy on the
// host.
template <class Target, class To, class From>
void launch_convert_sites(Field& to, const Field& from, const Queue& queue);

template <class Target, class T>
void launch_copy_halo_planes(const Field& field, const HaloPlanes& planes,
                             const std::array<void*, 2>& buffers, bool to_buffers, const Queue& queue);

template <class Target, class S>
void launch_move_sites(const Field& field, const SiteBox& box, const ActiveSet& subfields, void* packed,
                       bool to_packed, PackedOrder order, const Queue& queue);

}  // namespace plaq

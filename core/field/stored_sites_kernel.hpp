// The launch of pack_sites and unpack_sites for one machine and storage.
#pragma once

#include "core/field/stored_sites.hpp"

namespace plaq {

template <class Target, class S>
void launch_move_sites(const Field& field, const SiteBox& box, const ActiveSet& subfields, void* packed,
                       bool to_packed, PackedOrder order, const Queue& queue);

}  // namespace plaq

// The launch of copies between storages on one machine.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// Converts fields on the same sites; storages in half precision have a scale. Gives the bits of a copy on the
// host.
template <class Target, class To, class From>
void launch_convert_sites(Field& to, const Field& from, const Queue& queue);

}  // namespace plaq

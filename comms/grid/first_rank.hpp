// Work of the first rank alone whose failure every rank must see.
#pragma once

#include <functional>

#include "core/lattice/geometry.hpp"

namespace plaq {

// Collective over all ranks. Runs `action` on rank 0; when it throws, every rank throws the same Error.
void on_first_rank(const std::function<void()>& action);
// The extents that `action` returns on rank 0, on every rank.
Extents extents_from_first_rank(const std::function<Extents()>& action);

}  // namespace plaq

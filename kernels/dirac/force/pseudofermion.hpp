// Pseudofermion fields: normal random spinors, also on the slices of a fifth dimension, or color vectors of
// staggered quarks.
#pragma once

#include <cstdint>

#include "core/field/field.hpp"

namespace plaq {

// exp(-|eta|^2): independent complex normal components with <|eta_k|^2> = 1, as seed, trajectory and the
// number of the pseudofermion (0 to 255) give them, on the parities that the field holds. 4 x 3 or 1 x 3
// components in double precision, one right-hand side of any Ls, without halo. The same bits on any process
// grid. Queued.
void draw_pseudofermion(Field& eta, std::uint64_t seed, std::uint32_t trajectory, int number,
                        const Queue& queue);

}  // namespace plaq

// Phases of the modes of the Laplacian in space.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// Makes the phase of each mode definite: color 0 of its value at the site (0, 0, 0) of its slice is real and
// not negative. A mode that is 0 there, or nearly, keeps its phase. `modes`: of all slices, orthonormal.
// Collective; the same bits on any process grid.
void fix_phases(Field& modes, const ProcessGrid& grid, const Queue& queue);

}  // namespace plaq

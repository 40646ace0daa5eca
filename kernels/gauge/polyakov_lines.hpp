// Polyakov lines: L(x) = prod_t U_t(x, t) over all slices in time. Links live on any geometry of their
// lattice and need no halo. Functions are collective and wait for the queue; their bits do not depend on the
// process grid.
#pragma once

#include <complex>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq {

// Average over space of (1/3) tr L.
std::complex<double> polyakov_loop(const ProcessGrid& grid, const Field& gauge, const Queue& queue);

// L of all of space, [z][y][x][row][column], on rank 0; nothing on other ranks.
std::vector<std::complex<double>> gather_polyakov_lines(const ProcessGrid& grid, const Field& gauge,
                                                        const Queue& queue);

}  // namespace plaq

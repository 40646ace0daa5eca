// Sums and multiples of fields, by the kernels of solvers.
#pragma once

#include <complex>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// y = a x + b y for all subfields.
void combine(const std::complex<double>& a, const Field& x, const std::complex<double>& b, Field& y,
             const Queue& queue);
// |x|^2 and x^dagger y of each subfield, over all ranks: exact sums, rounded once. Collective.
std::vector<double> norms(const ProcessGrid& grid, const Field& x, const Queue& queue);
std::vector<std::complex<double>> products(const ProcessGrid& grid, const Field& x, const Field& y,
                                           const Queue& queue);

}  // namespace plaq

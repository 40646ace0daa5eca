// Momenta of links, and the steps of molecular dynamics (Gottlieb et al., Phys. Rev. D 35 (1987) 2531):
//   P_mu(x) = (i/2) p^a lambda^a,   K = sum over links of -tr P^2 = sum p^a p^a / 2,
//   dU/dt = P U,   dP/dt = -F.
// A field of momenta or forces has algebra_spec() in double precision, on the geometry of the links. Only
// owned sites are read and written. The same bits on any process grid.
#pragma once

#include <cstdint>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq {

// Independent normal p^a, mean 0 and variance 1, as seed and trajectory give them: exp(-K). Queued.
void draw_momenta(Field& momenta, std::uint64_t seed, std::uint32_t trajectory, const Queue& queue);

// K. Collective; waits for the queue.
double kinetic_energy(const ProcessGrid& grid, const Field& momenta, const Queue& queue);

// The sum over links of X^a Y^a, X = (i/2) X^a lambda^a. Collective; waits for the queue.
double algebra_product(const ProcessGrid& grid, const Field& x, const Field& y, const Queue& queue);

// |F| = sqrt(F^a F^a) of a link, F = (i/2) F^a lambda^a: root of its mean square, and the largest one.
struct ForceSize {
  double rms = 0, largest = 0;
};
// Collective; waits for the queue.
ForceSize force_size(const ProcessGrid& grid, const Field& force, const Queue& queue);

// The largest |U - V|, root of the sum over matrix elements, of the links of two fields. Collective; waits
// for the queue.
double largest_link_distance(const ProcessGrid& grid, const Field& links, const Field& others,
                             const Queue& queue);

// P <- P - step F. Queued.
void kick(Field& momenta, const Field& force, double step, const Queue& queue);

// Elements X of the Lie algebra from any 3x3 matrices M of links (gauge_spec()): (M - M^dagger)/2 without its
// trace. Queued.
void project_to_algebra(Field& algebra, const Field& matrices, const Queue& queue);

// M <- X, elements of the Lie algebra as 3x3 matrices. Queued.
void matrices_of_algebra(Field& matrices, const Field& algebra, const Queue& queue);

// U <- exp(step P) U, without a projection onto SU(3), which is not reversible. The halo of the links is out
// of date afterwards. Queued.
void drift(Field& links, const Field& momenta, double step, const Queue& queue);

}  // namespace plaq

// Shifts of fields by a site: spinors, color vectors and color matrices, single or double
// precision, any number of subfields.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

/// out(x) = in(x + mu) if `forward`, else in(x - mu), around the lattice. Fields are alike, on both parities
/// and without halo; `out` is another field than `in`. Collective, waits for the queue. The bits
/// are the same on any process grid.
void shift(const ProcessGrid& grid, Field& out, const Field& in, int mu, bool forward, const Queue& queue,
           const std::shared_ptr<Transport>& transport);

/// out(x) = U_mu(x) in(x + mu) if `forward`, else U_mu(x - mu)^dagger in(x - mu).
/// `gauge` has no halo, in any precision.
void covariant_shift(const ProcessGrid& grid, Field& out, const Field& in, const Field& gauge, int mu,
                     bool forward, const Queue& queue, const std::shared_ptr<Transport>& transport);

/// out = gamma in, spinors on both parities. Queued, not collective.
void multiply_spins(Field& out, const GammaMatrix& gamma, const Field& in, const Queue& queue);

}  // namespace plaq

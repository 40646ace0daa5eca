// Shifts of fields by a site: spinors, color vectors and color matrices, single or double
// precision, any number of subfields.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
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

// The launches behind these for one machine, in single and double precision.
struct ShiftCall {
  const Field* links = nullptr;  // null: no product with links
  int mu = 0;
  bool forward = true;
};

template <class Target, class T>
struct FieldLaunch {
  // All fields live on one extended geometry; of `in` and the links the halo is filled, of `out` the owned
  // sites are written.
  static void shift(Field& out, const Field& in, const ShiftCall& call, const Queue& queue);
  static void multiply_spins(Field& out, const GammaMatrix& gamma, const Field& in, const Queue& queue);
};

}  // namespace plaq

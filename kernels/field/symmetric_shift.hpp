// Symmetric shifts of fields along links, in one direction or in several.
#pragma once

#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"

namespace plaq {

/// The mean of the products E_1 E_2 ... E_n in over all orders of n different directions,
///   (E_mu f)(x) = (1/2) [U_mu(x) f(x + mu) + U_mu(x - mu)^dagger f(x - mu)],
/// a covariant Hermitian operator (Golterman, Nucl. Phys. B 273 (1986) 663). It takes n 2^n hops.
///
/// `in` and `links` are fields that covariant_shift() takes (kernels/field/shift.hpp), of single or double
/// precision. `directions` has the bit 1 << mu of each direction; without any the result is `in` itself.
/// Collective, waits for the queue; the same bits on any process grid.
Field symmetric_shift(const SharedLattice& lattice, const Field& in, const Field& links, unsigned directions);

}  // namespace plaq

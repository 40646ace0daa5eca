// Sums of densities over the whole lattice with a phase.
#pragma once

#include <complex>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "kernels/gluon/lattice_momenta.hpp"

namespace plaq {

/// sum_x exp(-i p x) density(x) of each density, p = 2 pi n / L in all four directions. Sums over space are
/// exact, and those over t in its order: the same bits on any process grid. `density` is of
/// MomentumProjection::density_spec() at the lattice's location. Collective, waits for the queue.
std::vector<std::complex<double>> wave_sums(const SharedLattice& lattice, const Field& density,
                                            const Momentum4& n);

}  // namespace plaq

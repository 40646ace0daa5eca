// Checks of terms of an action and of integrators: numbers that are known for right code. All functions are
// collective, and have the same bits on any process grid.
#pragma once

#include <cstdint>
#include <functional>

#include "dynamics/monomial/monomial.hpp"
#include "dynamics/quark/sea_quark.hpp"
#include "dynamics/trajectory/molecular_dynamics.hpp"
#include "kernels/gauge/gauge_action.hpp"

namespace plaq {

/// Links exp(strength P) with normal momenta P of this seed, in double precision on the lattice.
Field weak_links(const SharedLattice& lattice, double strength, std::uint64_t seed);

/// Derivative of f at 0 by central differences of eighth order in h.
double central_difference(const std::function<double(double)>& f, double h);

/// Derivative of an action with force F along elements T of the Lie algebra: 2 sum over links of -tr(T F).
double derivative_along(const ProcessGrid& grid, const Field& t, const Field& f, const Queue& queue);

/// Relative deviation of the force of a monomial from the derivative of its value, along a random direction
/// of all links: 0 but for rounding and the accuracy of solves. Pseudofermions are those of the last draw().
/// @param lattice   of the links
/// @param monomial  with its force and its value
/// @param links     at which they are compared
/// @param step      of the central differences of eighth order; at the default rounding and the ninth
///   derivative count alike
double force_deviation(const SharedLattice& lattice, Monomial& monomial, const Field& links,
                       double step = 8e-3);

/// S/|eta|^2 - 1 behind a draw of the pseudofermion from eta: 0 but for rounding and the accuracy of solves.
/// @param monomial    with one pseudofermion
/// @param number      of this pseudofermion in the chain
/// @param quark       any flavour on the same lattice, for the norm
/// @param links       at which it is drawn
/// @param seed        of the chain
/// @param trajectory  number of the trajectory
double draw_deviation(Monomial& monomial, int number, SeaQuark& quark, const Field& links, std::uint64_t seed,
                      std::uint32_t trajectory);

/// Exponent n of dH ~ (step size)^n, between trajectories of `steps` and of 2 steps of a gauge action.
/// @param lattice       of the links
/// @param action        the gauge action
/// @param links         from which each trajectory begins
/// @param integrator    of one time scale
/// @param steps         of a trajectory of length 1
/// @param trajectories  dH is their root mean square
double order_of_integrator(const SharedLattice& lattice, const LoopWeights& action, const Field& links,
                           Integrator integrator, int steps, std::uint32_t trajectories = 1);

}  // namespace plaq

// The conserved currents of an action.
#pragma once

#include <array>
#include <optional>

#include "quarks/action/action.hpp"

namespace plaq {

/// Weights w_mu of the hops (w_mu / 2) (1 -+ gamma_mu) U_mu in M, x, y, z, t, of which conserved currents are
/// made (observables/quark/bilinears.hpp): of Wilson and clover quarks, and of D_w on each slice of domain
/// walls, 1 or nu/xi in space. None of other quarks, and of walls whose quarks are not gamma5-hermitian or
/// that have omega + sigma <= 0 on a slice.
std::optional<std::array<double, 4>> conserved_current_weights(const Action& action);

/// Action by which the sequential propagators of these currents are solved: that of domain walls with the
/// weights read backwards, which has the same quark propagator; `action` itself where they are the same, and
/// of other quarks.
ActionPtr action_through_sink(const ActionPtr& action);

}  // namespace plaq

// The conserved currents of an action.
#pragma once

#include <array>
#include <optional>

#include "quarks/action/action.hpp"

namespace plaq {

/// Weights w_mu of the hops (w_mu / 2) (1 -+ gamma_mu) U_mu in M, x, y, z, t, of which conserved currents are
/// made (observables/quark/bilinears.hpp): of Wilson and clover quarks, and of domain walls of the Shamir
/// variant on each slice, 1 or nu/xi in space. None of other quarks: other walls have hops between slices.
std::optional<std::array<double, 4>> conserved_current_weights(const Action& action);

}  // namespace plaq

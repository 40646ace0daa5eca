// The hopping expansion of an action.
#pragma once

#include <optional>

#include "quarks/action/action.hpp"

namespace plaq {

/// Largest order n of the expansion M^-1 = sum_{k<n} H^k / d + H^n M^-1 whose loops of terms k < n are known:
/// fewer than four hops come back to their site only around the lattice, or with the product
/// (1 - gamma_mu)(1 + gamma_mu) = 0 (Giusti et al., arXiv:1903.10447).
constexpr int most_hopping_order = 4;

/// The number d of M = d (1 - H), H hops to neighbours alone: of Wilson quarks, m + 1 + 3 nu/xi. None of
/// other quarks, also of those with a clover term or a twist.
std::optional<double> hopping_diagonal(const Action& action);

}  // namespace plaq

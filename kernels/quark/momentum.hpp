// Momenta in space, and correlators at them.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"

namespace plaq {

/// A momentum by integers n: p_i = 2 pi n_i / L_i for directions x, y, z. On a lattice n and n + L are one
/// momentum.
using Momentum = std::array<int, 3>;

/// All n with n.n <= most, each momentum once: -L_i/2 < n_i <= L_i/2. The order is fixed: by n.n, then as
/// numbers.
std::vector<Momentum> momenta_up_to(int most, const Extents& extents);

/// Why `n` is not the name of a momentum on this lattice, or nothing: some |n_i| is above L_i/2, which is
/// another momentum under a wrong name.
std::optional<std::string> validate_momentum(const Momentum& n, const Extents& extents);

/// 1 in directions in which quarks of these boundary signs have momenta 2 pi (n + 1/2) / L, else 0.
std::array<int, 4> half_momenta(const std::array<int, 4>& boundary);

/// Why `n` is not the name of a momentum p_mu = 2 pi (n_mu + half_mu / 2) / L_mu in the Brillouin zone, or
/// nothing: |n| is at most L/2, and -L/2 <= n < L/2 where half is 1.
std::optional<std::string> validate_momentum(const std::array<int, 4>& n, const std::array<int, 4>& half,
                                             const Extents& extents);

/// Correlators [channel][momentum][t]; t = 0 is the source's time slice, t = 1 the next one up, around the
/// lattice.
using Correlators = std::vector<std::vector<std::vector<std::complex<double>>>>;

}  // namespace plaq

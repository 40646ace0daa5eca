// Momenta on the lattice: p_mu = 2 pi n_mu / L_mu, and the tree-level momentum of gluon and ghost,
//   phat_mu = 2 sin(p_mu / 2) = 2 sin(pi n_mu / L_mu).
// Cuts against what is left of lattice artefacts: Leinweber et al., Phys. Rev. D 60 (1999) 094507.
#pragma once

#include <array>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq {

/// Integers n in x, y, z, t.
using Momentum4 = std::array<int, 4>;

/// Momenta in space that permutations of axes with equal extents and reflections make of each other.
struct MomentumOrbit {
  Momentum n{};  ///< not negative; on axes of equal extents not rising from x to z
  /// -L/2 < n <= L/2, each once, in ascending order; with n also -n (modulo L).
  std::vector<Momentum> members;
};

/// All orbits with |n_i| <= most and <= L_i/2, by rising sum of phat^2, then by n. `half`: 1 in directions
/// where momenta are 2 pi (n + 1/2) / L, as of fields that are antiperiodic: n and -n - 1 are reflections,
/// -L/2 <= n < L/2, and axes are equal where this is, too.
std::vector<MomentumOrbit> momentum_orbits(const Extents& extents, int most,
                                           const std::array<int, 3>& half = {0, 0, 0});

/// phat = 2 sin(pi n / L) of one direction.
double lattice_momentum(int n, int extent);
/// The sum of phat_mu^2 over the first `directions` directions.
double momentum_squared(const Momentum4& n, const Extents& extents, int directions = 4);

/// Distance of p from the diagonal (1, ..., 1) of the first `directions` directions, with |p_mu|: 0 for p =
/// 0.
struct DiagonalDistance {
  double length;   ///< |p| sin(angle), in units of 2 pi / L_s, L_s the largest extent in space
  double degrees;  ///< the angle
};
/// Distance of a momentum from the diagonal of the first `directions` directions.
DiagonalDistance distance_to_diagonal(const Momentum4& n, const Extents& extents, int directions = 4);
/// Distance for n that may be halves.
DiagonalDistance distance_of_numbers(const std::array<double, 4>& n, const Extents& extents,
                                     int directions = 4);

}  // namespace plaq

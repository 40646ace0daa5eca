// The momenta in time of propagators in momentum space, and the momenta that survive the cuts of Leinweber et
// al., Phys. Rev. D 60 (1999) 094507.
#pragma once

#include <optional>

#include "core/lattice/geometry.hpp"
#include "kernels/gluon/lattice_momenta.hpp"

namespace plaq {

/// Cuts of momenta, and the largest momentum in time.
struct MomentumCuts {
  /// Largest n_t; none: as far as max_n reaches on the longest axis in space.
  std::optional<int> max_n_t = {};
  double cylinder = 1;  ///< radius of the cylinder in units of 2 pi / L of the longest axis in space
  double cone = 20;     ///< angle of the cone in degrees

  /// The largest n_t where n goes up to max_n in space; `half`: 1 where momenta in time are 2 pi (n + 1/2)
  /// / T.
  int last_in_time(int max_n, const Extents& extents, int half = 0) const;
  /// True if a momentum at that distance from the diagonal survives the cylinder cut.
  bool in_cylinder(const DiagonalDistance& distance) const;
  /// True if it survives the cone cut.
  bool in_cone(const DiagonalDistance& distance) const;
};

}  // namespace plaq

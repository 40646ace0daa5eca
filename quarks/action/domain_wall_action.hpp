// Domain-wall quarks.
#pragma once

#include <array>

#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

// general: omega and sigma of each slice are given.
enum class WallKind { shamir, borici, moebius, optimal, general };

/// Bounds for what is the same with all bounds.
inline constexpr SpectralBounds any_bounds{0.1, 1.0};

struct DomainWallChoice {
  WallKind kind = WallKind::shamir;
  int n_s = 8;
  double m0 = 1.8, mass = 0;
  double b5 = 1, c5 = 0;                 // Moebius
  std::vector<double> omega, sigma;      // general: one a slice
  std::optional<SpectralBounds> bounds;  // of |H_w|, for optimal weights; none: measured
  std::array<int, 4> boundary{1, 1, 1, -1};
  double xi = 1, nu = 1;   // anisotropy of D_w
  bool backwards = false;  // true: slice s has the weights of Ls + 1 - s

  bool same_on_all_slices() const;  // both weights
  bool gamma5_hermitian() const;    // DomainWallParameters::gamma5_hermitian
  bool measures_bounds() const { return kind == WallKind::optimal && !bounds; }
  // Parameters with these spectral bounds, if the action measures bounds. Throws Error(job_file).
  DomainWallParameters parameters(const std::optional<SpectralBounds>& measured = {}) const;
};

ActionPtr domain_wall_action(const DomainWallChoice& choice);

// Domain-wall quarks on unit links: their propagators in momentum space are compared with them. At any p,
// also where k = 0. `exact`: of an infinite Ls, where omega_s - sigma_s is the same on all slices.
FreeQuark free_domain_wall_quark(const DomainWallParameters& walls, const std::array<double, 4>& p,
                                 bool exact);

}  // namespace plaq

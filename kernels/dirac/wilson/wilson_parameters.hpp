// Numbers of the Wilson and clover operators, Clark et al. 2010, eq. (1), with anisotropy:
//   M = C - (1/2) [hop_t + (nu/xi) hop_s],   C = m + 1 + 3 nu/xi + A,   m = 1/(2 kappa) - 4,
// A being the clover term (kernels/dirac/clover/clover_term.hpp), if any. Exponential clover quarks have
//   C = d exp(A / d),   d = m + 1 + 3 nu/xi,
// Francis, Fritzsch, Luescher, Rago, Comput. Phys. Commun. 255 (2020) 107355: C has an inverse on any links,
// and its determinant is d^12 a site. With a twisted mass mu (Frezzotti, Grassi, Sint, Weisz, JHEP 08 (2001)
// 058) i mu gamma5 is added to C.
#pragma once

#include <array>

namespace plaq {

// Coefficients of the clover term, for planes in space and planes with time. Anisotropic: c_R/xi and c_T.
struct CloverCoefficients {
  double spatial = 0, temporal = 0;
  bool exponential = false;
  bool operator==(const CloverCoefficients&) const = default;
  static CloverCoefficients isotropic(double c_sw) { return {c_sw, c_sw}; }
};

struct WilsonParameters {
  double mass = 0;                           // bare, in lattice units
  double xi = 1, nu = 1;                     // bare anisotropy and its fermion correction
  std::array<int, 4> boundary{1, 1, 1, -1};  // sign of each direction's boundary condition; 0: no hops across
  CloverCoefficients clover{};               // both 0: no clover term
  double twisted_mass = 0;                   // mu, in lattice units; other flavour of a doublet: -mu

  double diagonal() const { return mass + 1 + 3 * nu / xi; }
  bool has_clover() const { return clover.spatial != 0 || clover.temporal != 0; }
  // True if det C depends on the links, or det(C + i mu gamma5).
  bool has_clover_determinant() const {  // a number for exponential clover quarks without a twist
    return has_clover() && (!clover.exponential || twisted_mass != 0);
  }
  static double mass_of_kappa(double kappa) { return 1 / (2 * kappa) - 4; }
};

}  // namespace plaq

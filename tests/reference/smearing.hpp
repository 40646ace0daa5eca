// Link smearing and the matrix functions that it needs, in extended precision.
#pragma once

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

// exp(a): Taylor series of a / 2^k, squared k times.
ColorMatrix exponential(const ColorMatrix& a);

// W / det(W)^(1/3), W the unitary factor of the polar decomposition from the singular value decomposition
// (one-sided Jacobi rotations), the root with |arg| <= pi/3. Smallest over largest singular value in `ratio`.
ColorMatrix polar_su3(const ColorMatrix& v, double* ratio = nullptr);
// W itself.
ColorMatrix polar_u3(const ColorMatrix& v, double* ratio = nullptr);

// (a - a^dagger)/2 without its trace.
ColorMatrix traceless_antihermitian(const ColorMatrix& a);

// Sum of the paths from x to x + mu around the plaquettes with U_mu(x), in directions nu < directions.
ColorMatrix path_sum(const GaugeField& gauge, int site, int mu, int directions);

// Directions 0 .. directions-1 are smeared, the others stay.
// U' = P((1 - alpha) U + alpha / k C): Albanese et al. 1987.
GaugeField ape_smeared(const GaugeField& gauge, double alpha, int directions);
// U' = exp(i Q) U: Morningstar and Peardon 2004, eqs. (1) to (3).
GaugeField stout_smeared(const GaugeField& gauge, double rho, int directions);
// HYP: Hasenfratz and Knechtli 2001, with that projection.
GaugeField hyp_smeared(const GaugeField& gauge, double alpha1, double alpha2, double alpha3);
// Vtilde_mu;t of the directions mu in space, in their place.
GaugeField hyp_smeared_in_space(const GaugeField& gauge, double alpha2, double alpha3);

}  // namespace plaq::reference

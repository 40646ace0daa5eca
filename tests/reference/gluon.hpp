// Gluon fields in momentum space and the Faddeev-Popov operator, from their formulas, site by site.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

// Half the Gell-Mann matrices: tr T^a T^b = 1/2.
std::array<ColorMatrix, 8> color_generators();

// A^a = 2 tr(T^a A) of A = (U - U^dagger)/(2i) without its trace.
std::array<double, 8> gluon_components(const ColorMatrix& link);

// A_mu^a(p) = sum_x exp(-i p (x + mu/2)) A_mu^a(x), p = 2 pi n / L: [mu][a]. Over all sites, or those of a
// time slice.
using GluonModes = std::array<std::array<Complex, 8>, 4>;
GluonModes gluon_modes(const GaugeField& gauge, const std::array<int, 4>& n, int only_slice = -1);

// (M w)^a(x) of real adjoint vectors [site][a], by
//   M^ab(x,y) = sum_mu Re tr[ {T^a, T^b} (U_mu(x) + U_mu(x-mu)) delta(x,y)
//               - 2 T^b T^a U_mu(x) delta(x+mu,y) - 2 T^a T^b U_mu(x-mu) delta(x-mu,y) ].
using AdjointField = std::vector<std::array<double, 8>>;
AdjointField faddeev_popov(const GaugeField& gauge, const AdjointField& w);
// Each component less its average over the lattice.
AdjointField without_constant(AdjointField w);

}  // namespace plaq::reference

// Bilinears of staggered quarks with any spin and taste, by all paths between the quarks, and their mesons by
// traces of the whole inverse.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/dense.hpp"
#include "tests/reference/staggered_correlators.hpp"

namespace plaq::reference {

// Exponents of gamma_x gamma_y gamma_z gamma_t.
using Exponents = std::array<int, 4>;
SpinMatrix product_of_gammas(const Exponents& exponents);

// Omega(x) = gamma_x^x gamma_y^y gamma_z^z gamma_t^t; tr[Omega(x)^dagger Gamma Omega(x + d) Xi^dagger] / 4, d
// the directions in which spin and taste differ. A fourth root of 1.
Complex spin_taste_phase(const Coordinates& x, const Exponents& spin, const Exponents& taste);

// Mean over all orders of the directions with d = 1 and over forward and backward hops in each of them:
// products of links along the paths times the field at their ends. `boundary`: sign of a hop over the edge.
ColorField symmetric_shift(const GaugeField& gauge, const std::array<int, 4>& boundary, const Exponents& d,
                           const ColorField& in);

// The matrix, rows and columns 3 site + color, times a field.
ColorField times(const ComplexDense& matrix, const ColorField& in);

// C(t) = -(1/4) tr[gamma_t Gamma gamma_t Gamma^dagger] sum_x exp(-i p r)
//        tr_color[(A M^-1 A^dagger)(x, source) M^-1(source, x)],
// A the phase times the symmetric shift: psibar Gamma psi has the adjoint psibar gamma_t Gamma^dagger gamma_t
// psi, and the loop of quarks the sign -1.
std::vector<Complex> taste_meson(const ComplexDense& inverse, const GaugeField& gauge,
                                 const std::array<int, 4>& boundary, const Exponents& spin,
                                 const Exponents& taste, const std::array<int, 3>& n,
                                 const Coordinates& source);

}  // namespace plaq::reference

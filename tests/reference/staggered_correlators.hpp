// Correlators of local staggered mesons, by the sum over all sites; propagators; what the free theory says.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/dense.hpp"
#include "tests/reference/matrix.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::reference {

using ColorPropagator = std::array<ColorField, 3>;  // [color of the source]

// Columns M^-1 b by conjugate gradients on M^dagger M, b(x) = source[x] in the column's color. Throws unless
// the true residual reaches 1e-13 of b.
ColorPropagator staggered_propagator(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                     const std::vector<Complex>& source);
ColorPropagator staggered_propagator(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                     int source_site);
// M^-1 as a whole, rows and columns 3 site + color, and the propagator of a point that it has.
ComplexDense dense_inverse(const StaggeredParameters& parameters, const StaggeredLinks& links);
ColorPropagator dense_propagator(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                 int source_site);

// Omega(x) = gamma_x^x gamma_y^y gamma_z^z gamma_t^t; the phase of chibar(x) chi(x) in the bilinear of spin
// and taste gamma: tr[Omega(x)^dagger gamma Omega(x) gamma^dagger] / 4.
Complex spin_taste_phase(const Coordinates& x, const SpinMatrix& gamma);

// sum_x exp(-i p r) phi(r) sum_ab |S_ab(x)|^2, r = x - source as plain numbers (which may be negative),
// phi(r) = sum over `signs` of (-1)^(their r). t from the source's slice.
std::vector<Complex> staggered_meson(const Lattice& lattice, const ColorPropagator& s,
                                     const std::vector<std::array<int, 3>>& signs,
                                     const std::array<int, 3>& n, const Coordinates& source);
// Meson of two quarks, sum_ab S1_ab(x) S2_ab(x)^* in place of |S_ab(x)|^2.
std::vector<Complex> staggered_meson(const Lattice& lattice, const ColorPropagator& s1,
                                     const ColorPropagator& s2, const std::vector<std::array<int, 3>>& signs,
                                     const std::array<int, 3>& n, const Coordinates& source);

// sum over x with even r in space of exp(-i p r) eps_abc eps_a'b'c' S_aa' S_bb' S_cc', times (-1)^t for an
// odd sum of the source's coordinates in space, and without the boundary's sign in time of three
// quarks. t from the source's slice.
std::vector<Complex> staggered_nucleon(const Lattice& lattice, const ColorPropagator& s,
                                       const std::array<int, 3>& n, const Coordinates& source,
                                       int time_boundary);

// Baryon of three quarks, eps_abc eps_a'b'c' S1_aa' S2_bb' S3_cc' in place of the product of one.
std::vector<Complex> staggered_nucleon(const Lattice& lattice,
                                       const std::array<const ColorPropagator*, 3>& quarks,
                                       const std::array<int, 3>& n, const Coordinates& source,
                                       int time_boundary);

// staggered_meson of a point source on unit links at p = 0, from sums over momenta:
//   S = m G - D G / 2,  G(x) = (1/V) sum_p exp(i p x) / (m^2 + sum_mu sin^2 p_mu),
// times 3 for the colors.
std::vector<double> free_staggered_meson(const StaggeredParameters& parameters, const Lattice& lattice,
                                         const std::vector<std::array<int, 3>>& signs);

// Links of the lattice moved by one site: U'_mu(x + nu) = U_mu(x).
StaggeredLinks moved(const StaggeredLinks& links, int nu);

}  // namespace plaq::reference

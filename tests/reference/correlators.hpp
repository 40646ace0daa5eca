// Hadron correlators by explicit 12x12 matrices and by all Wick contractions index by index; links from a
// file; what the free theory says.
#pragma once

#include <string>
#include <vector>

#include "tests/reference/gauge.hpp"
#include "tests/reference/solve.hpp"
#include "tests/reference/spinor.hpp"

namespace plaq::reference {

using Matrix12 = Matrix<12>;                    // row and column: 3 spin + color
using CorrelatorInTime = std::vector<Complex>;  // t from the source's slice

Matrix12 spin_times_unit(const SpinMatrix& spin);
Matrix12 at_site(const Propagator& columns, int site);  // row: sink, column: source
Propagator random_propagator(const Lattice& lattice, Generator& generator);

// exp(-i p (x - source)), p_i = 2 pi n_i / L_i
Complex phase(const Lattice& lattice, const std::array<int, 3>& n, int site, const Coordinates& source);

// sum_x exp(-i p (x - source)) tr[ sink S1(x) source_gamma gamma5 S2(x)^dagger gamma5 ]
CorrelatorInTime meson(const Lattice& lattice, const Propagator& s1, const Propagator& s2,
                       const SpinMatrix& sink, const SpinMatrix& source_gamma, const std::array<int, 3>& n,
                       const Coordinates& source);

// sum_x exp(-i p (x - source)) tr[ P < chi chibar > ], chi = eps_abc (u_a^T C gamma5 d_b) u_c,
// C = gamma_t gamma_y, chibar = chi^dagger gamma_t. Slices before the source are multiplied by `boundary`.
CorrelatorInTime proton(const Lattice& lattice, const Propagator& up, const Propagator& down,
                        const SpinMatrix& projector, const std::array<int, 3>& n, const Coordinates& source,
                        int boundary);

// The pion of a point source on unit links: 3 sum_p tr[S(p,t) S(p,t)^dagger] / V_3 with
// S(p,t) = (1/T) sum_p4 exp(i p4 t) M(p)^-1, all momenta that the boundary allows.
std::vector<double> free_pion(const WilsonParameters& parameters, const Lattice& lattice);

// Big-endian double links from byte `offset` of a file on: x fastest, mu inner, row by row, re and im.
GaugeField read_big_endian_links(const std::string& path, const Lattice& lattice, long offset);

}  // namespace plaq::reference

// Propagators in the binary files of MILC and FNAL, whole: words of 32 bits in either order, numbers in
// single precision, sites with x fastest, then y, z, t.
//
// MILC: magic number (staggered quarks 23209, Wilson quarks 12781), nx, ny, nz, nt, char
// time_stamp[64], 0; of Wilson quarks 4
//   and the four spins of the source in the order in which they come; then each column: the
//     spin of Wilson quarks, the color,
//   sum29, sum31, and its numbers. The sums are exclusive ors of the column's words, word
//     i rotated left by i mod 29 and
//   i mod 31.
// FNAL: 0x71626434, a time, 4, numbers of a site, nx, ny, nz, nt, 0. 18 or 288 numbers: all
// columns of a site, one after the
//   other; 24: the columns of Wilson quarks one after the other.
//
// Columns are in the conventions of the file.
#pragma once

#include <string>
#include <vector>

#include "tests/reference/propagator.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::reference {

using ColorColumns = std::vector<ColorField>;  // [source color]

std::string milc_bytes(const ColorColumns& columns, const Lattice& lattice, const std::string& stamp,
                       bool big_endian);
std::string milc_bytes(const PropagatorColumns& columns, const Lattice& lattice, const std::string& stamp,
                       bool big_endian, const std::vector<int>& spins);
std::string fnal_bytes(const ColorColumns& columns, const Lattice& lattice, bool big_endian);
std::string fnal_bytes(const PropagatorColumns& columns, const Lattice& lattice, bool big_endian,
                       bool by_columns);

// Throw std::runtime_error when the file is not what is described above, or a sum does not hold.
struct MilcPropagator {
  std::string time_stamp;
  PropagatorColumns spinors;  // or
  ColorColumns colors;
};
MilcPropagator read_milc_propagator(const std::string& bytes);
MilcPropagator read_fnal_propagator(const std::string& bytes);

// Propagator of a theory whose gamma matrices have the other sign, in the same basis: gamma5 S gamma5.
PropagatorColumns with_other_gammas(const PropagatorColumns& columns);
// From spinors with the gamma matrices gamma_t = diag(1, 1, -1, -1) and gamma_k = ((0, sigma_k),
// (sigma_k, 0)), which FNAL's files are in, to the DeGrand-Rossi ones, and back.
PropagatorColumns from_dirac_basis(const PropagatorColumns& columns);
PropagatorColumns to_dirac_basis(const PropagatorColumns& columns);

}  // namespace plaq::reference

// Two-point functions of baryons by all Wick contractions, index by index.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/correlators.hpp"

namespace plaq::reference {

// chi = sum over `quarks` of weight eps_abc H q3_c (q1_a^T G q2_b), flavours 0, 1, 2.
struct Interpolator {
  struct Quarks {
    double weight;
    std::array<int, 3> flavours;
  };
  SpinMatrix g, h;
  std::vector<Quarks> quarks;
};

// < chi(x) chibar(0) >, chibar = chi^dagger gamma_t, from the propagators of three flavours: the fields at
// the source are those of chi^dagger, and each permutation of the quarks has its sign.
SpinMatrix baryon_at(const std::array<Matrix12, 3>& quarks, const Interpolator& sink,
                     const Interpolator& source);

// A sum of left < chi chibar >, Fourier transformed: [t], matrices of spin. Slices before the
// source are multiplied by `boundary`.
struct BaryonSum {
  SpinMatrix left;
  Interpolator sink, source;
};
std::vector<SpinMatrix> baryon(const Lattice& lattice, const std::array<const Propagator*, 3>& quarks,
                               const std::vector<BaryonSum>& sums, const std::array<int, 3>& n,
                               const Coordinates& source, int boundary);

}  // namespace plaq::reference

// Modes of the Laplacian in space as what distillation takes of them.
#pragma once

#include "kernels/quark/color_vectors.hpp"

namespace plaq {

// Color vectors v_i(t) of each time slice, the first `count` of a spinor field on both parities in double
// precision, without halo, where the lattice is (kernels/quark/color_vectors.hpp). Those behind them in its
// last subfield are not used. They are orthonormal on each slice, but for rounding: nothing here needs it.
struct SliceModes {
  Field vectors;
  int count = 0;

  // Subfields that hold them.
  int subfields() const { return (count + 3) / 4; }
  ColorVectors all() const { return {&vectors, 0, subfields()}; }
};

}  // namespace plaq

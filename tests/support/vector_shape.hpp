// The inner shape of a vector.
#pragma once

#include "core/field/field.hpp"

namespace plaq::test {

// Shape of a site: spins x colors complex numbers in each of `Ls` subfields.
struct VectorShape {
  int spins = 4, Ls = 1, colors = 3;
  int components() const { return spins * colors; }
  FieldSpec spec(Subset subset, int right_hand_sides, Precision precision, Location location) const {
    FieldSpec spec{subset, spins, colors, right_hand_sides * Ls, precision, location};
    spec.Ls = Ls;
    return spec;
  }
};

}  // namespace plaq::test

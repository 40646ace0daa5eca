// The inner shape of a vector.
#pragma once

#include "core/field/field.hpp"

namespace plaq::test {

// Shape of a site: spins x colors complex numbers in each of `slices` subfields.
struct VectorShape {
  int spins = 4, slices = 1, colors = 3;
  int components() const { return spins * colors; }
  FieldSpec spec(Subset subset, int right_hand_sides, Precision precision, Location location) const {
    FieldSpec spec{subset, spins, colors, right_hand_sides * slices, precision, location};
    spec.slices = slices;
    return spec;
  }
};

}  // namespace plaq::test

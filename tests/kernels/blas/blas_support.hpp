// Batches of random vectors, one of which takes no part and is not a number.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>

#include "core/field/field.hpp"
#include "tests/support/locations.hpp"

namespace plaq::test {

using Z = std::complex<double>;
inline constexpr int batch = 4, inactive = 2;

// Spinors, color vectors, spinors in five dimensions, five colors, and a coarse lattice.
struct VectorShape {
  int spins = 4, slices = 1, colors = 3;
  int components() const { return spins * colors; }
  FieldSpec spec(Subset subset, int right_hand_sides, Precision precision, Location location) const {
    FieldSpec spec{subset, spins, colors, right_hand_sides * slices, precision, location};
    spec.slices = slices;
    return spec;
  }
};
inline constexpr VectorShape vector_shapes[] = {{4, 1}, {1, 1}, {4, 3}, {1, 1, 5}, {2, 1, 14}};

inline Field random_field(const GeometryPtr& g, Subset subset, Precision precision, unsigned seed,
                          const VectorShape& shape = {}) {
  Field f(g, shape.spec(subset, batch, precision, Location::host));
  std::mt19937_64 generator(seed);
  for (int subfield = 0; subfield < f.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; f.holds(parity) && s < f.layout().sites; ++s)
        for (int r = 0; r < f.reals_per_site(); ++r) {
          const double x = static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5;
          set_real(f, subfield, parity, s, r,
                   subfield / shape.slices == inactive ? std::numeric_limits<double>::quiet_NaN() : x);
        }
  return f;
}

inline Field converted(const Field& from, Location location) {
  auto spec = from.spec();
  spec.location = location;
  Field to(from.geometry_ptr(), spec);
  copy(to, from);
  return to;
}

inline Z at(const Field& f, int subfield, int parity, int s, int k) {
  return {get_real(f, subfield, parity, s, 2 * k), get_real(f, subfield, parity, s, 2 * k + 1)};
}

}  // namespace plaq::test

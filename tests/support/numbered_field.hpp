// Fields whose numbers follow from the site in the whole lattice, whichever rank has it.
#pragma once

#include <cmath>

#include "core/field/field.hpp"

namespace plaq::test {

// In half precision magnitudes differ from site to site, so that scales do.
inline Field numbered_field(const GeometryPtr& g, const FieldSpec& spec, double shift) {
  FieldSpec wide = spec;
  wide.location = Location::host;
  if (spec.precision == Precision::half_precision) wide.precision = Precision::double_precision;
  Field numbers(g, wide), field(g, spec);
  const auto& shape = g->general_shape();
  for (int subfield = 0; subfield < spec.subfields; ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; numbers.holds(parity) && s < shape.parity_sites(parity); ++s) {
        const auto site = static_cast<double>(shape.global_index(shape.coordinates(parity, s)));
        for (int r = 0; r < spec.reals(); ++r) {
          const double x = std::sin(site + 0.37 * r + 1.3 * subfield + shift);
          set_real(numbers, subfield, parity, s, r, spec.bounded ? x : x * std::exp(0.1 * site));
        }
      }
  copy(field, numbers);
  return field;
}

// All of its memory on the host, padding included.
inline std::vector<char> bytes_of_field(const Field& field) {
  std::vector<char> bytes(field.bytes());
  copy_bytes(bytes.data(), Location::host, field.data(0, field.holds(0) ? 0 : 1), field.location(),
             bytes.size());
  return bytes;
}

}  // namespace plaq::test

// Batches of random vectors, one of which takes no part and is not a number.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "kernels/blas/blas.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/vector_shape.hpp"

namespace plaq::test {

using Z = std::complex<double>;
inline constexpr int batch = 4, inactive = 2;

// Spinors, color vectors, spinors in five dimensions, five colors, and a coarse lattice.
inline constexpr VectorShape vector_shapes[] = {{4, 1}, {1, 1}, {4, 3}, {1, 1, 5}, {2, 1, 14}};
inline std::string describe(const FieldSpec& s) {
  return fmt::format("{} spins, {} colors, {} slices, subset {}, {}, {}", s.spins, s.colors, s.Ls,
                     static_cast<int>(s.subset), name_of(s.precision), name_of(s.location));
}

inline Field converted(const Field& from, Precision precision, Location location) {
  auto spec = from.spec();
  spec.precision = precision;
  spec.location = location;
  Field to(from.geometry_ptr(), spec);
  copy(to, from);
  return to;
}
inline Field converted(const Field& from, Location location) {
  return converted(from, from.precision(), location);
}

// Uniform in [-1/2, 1/2).
inline Field random_vectors(const GeometryPtr& g, const FieldSpec& spec, unsigned seed, int without = -1) {
  auto wide = spec;
  wide.precision = Precision::double_precision;
  wide.location = Location::host;
  Field f(g, wide);
  std::mt19937_64 generator(seed);
  for (int subfield = 0; subfield < f.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; f.holds(parity) && s < f.layout().sites; ++s)
        for (int r = 0; r < f.reals_per_site(); ++r) {
          const double x = static_cast<double>(generator() >> 11) * 0x1p-53 - 0.5;
          const bool left_out = subfield / spec.Ls == without;
          set_real(f, subfield, parity, s, r, left_out ? std::numeric_limits<double>::quiet_NaN() : x);
        }
  return converted(f, spec.precision, spec.location);
}
// The batch of which one is not a number, on the host.
inline Field random_field(const GeometryPtr& g, Subset subset, Precision precision, unsigned seed,
                          const VectorShape& shape = {}) {
  return random_vectors(g, shape.spec(subset, batch, precision, Location::host), seed, inactive);
}

// Small numbers of every place; nobody but the active ones takes part.
inline std::vector<blas::Coefficients> coefficients(const std::vector<char>& active) {
  std::vector<blas::Coefficients> c(active.size());
  for (std::size_t i = 0; i < c.size(); ++i) {
    c[i].active = active[i];
    for (std::size_t k = 0; k < 6; ++k) c[i].value[k] = 0.125 * static_cast<double>((7 * i + 3 * k) % 17) - 1;
  }
  return c;
}

// Op with these vectors; its sums, which are none where it has none.
template <class Op>
std::vector<ExactSum> run(blas::Workspace& work, const std::vector<blas::Coefficients>& c,
                          const std::vector<Field>& fields) {
  std::array<const Field*, Op::vectors> vectors;
  for (std::size_t i = 0; i < Op::vectors; ++i) vectors[i] = &fields[i];
  if constexpr (Op::sums > 0) return blas::update_and_sum<Op>(work, c, vectors);
  if constexpr (Op::sums == 0) blas::update<Op>(work, c, vectors);
  return {};
}

inline Z at(const Field& f, int subfield, int parity, int s, int k) {
  return {get_real(f, subfield, parity, s, 2 * k), get_real(f, subfield, parity, s, 2 * k + 1)};
}

// A color matrix a site, of any numbers.
inline Field random_frame(const GeometryPtr& g) {
  return random_vectors(g, {Subset::full, 3, 3, 1, Precision::single_precision, Location::host, 0, true}, 17);
}

}  // namespace plaq::test

// Between plaq's fields (this rank's part) and whole-lattice ones of the slow side
// of tests, which every rank holds.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "tests/reference/spinor.hpp"
#include "tests/reference/staggered.hpp"
#include "tests/support/locations.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

inline reference::Lattice lattice_of(const Geometry& g) { return {g.global()}; }

// Calls visit(parity, index, global lexicographic index) for each stored site.
template <class Visit>
void for_stored_sites(const Geometry& geometry, Visit&& visit) {
  const GeneralShape& shape = geometry.general_shape();
  for (int parity = 0; parity < shape.parities(); ++parity)
    for (int s = 0; s < shape.parity_sites(parity); ++s)
      visit(parity, s, static_cast<int>(shape.global_index(shape.coordinates(parity, s))));
}

// A vector of any inner shape, one right-hand side: [slice][site][spin][color].
using Complex64 = std::complex<double>;
using Vector = std::vector<Complex64>;
using Vectors = std::vector<Vector>;

// Converts from and to a reference's field.
template <class ReferenceField>
Vector to_vector(const ReferenceField& field) {
  const auto* first = reinterpret_cast<const Complex64*>(field.data());
  return Vector(first, first + field.size() * (sizeof(field[0]) / sizeof(Complex64)));
}
template <class ReferenceField>
ReferenceField from_vector(const Vector& vector) {
  ReferenceField field(vector.size() / (sizeof(field[0]) / sizeof(Complex64)));
  std::copy(vector.begin(), vector.end(), reinterpret_cast<Complex64*>(field.data()));
  return field;
}

// Subfields of a field on the whole lattice: the begin of [site][component] of each. A vector in
// five dimensions is `Ls` subfields.
class Columns {
 public:
  Columns(const Vectors& batch, int Ls = 1) { add(batch, Ls); }
  Columns(const std::vector<reference::SpinorField>& batch, int Ls = 1) { add(batch, Ls); }
  Columns(const std::vector<reference::ColorField>& batch) { add(batch, 1); }
  int size() const { return static_cast<int>(first_.size()); }
  const Complex64* operator[](int subfield) const { return first_[static_cast<std::size_t>(subfield)]; }

 private:
  template <class Batch>
  void add(const Batch& batch, int Ls) {
    for (const auto& vector : batch)
      for (int s = 0; s < Ls; ++s) {
        const std::size_t offset = vector.size() / static_cast<std::size_t>(Ls) * static_cast<std::size_t>(s);
        first_.push_back(reinterpret_cast<const Complex64*>(vector.data() + offset));
      }
  }
  std::vector<const Complex64*> first_;
};

// A field of that kind, with as many subfields as there are columns. In half precision each site is rounded
// from double as copy() does it.
Field to_plaq(const Columns& columns, const GeometryPtr& geometry, FieldSpec spec);
// Spinors, and color vectors.
inline Field to_plaq(const std::vector<reference::SpinorField>& batch, const GeometryPtr& geometry,
                     Subset subset, Precision precision, Location location) {
  return to_plaq(Columns(batch), geometry, spinor_spec(subset, 0, precision, location));
}
inline Field to_plaq(const std::vector<reference::ColorField>& batch, const GeometryPtr& geometry,
                     Subset subset, Precision precision, Location location) {
  return to_plaq(Columns(batch), geometry, staggered_spec(subset, 0, precision, location));
}
// A gauge field at `location`; the halo of an extended geometry is filled too.
Field to_plaq(const reference::GaugeField& gauge, const GeometryPtr& geometry, Precision precision,
              Location location);

// This rank's sites that the field holds, 0 elsewhere.
Vectors to_vectors(const Field& field);
template <class ReferenceField>
std::vector<ReferenceField> to_reference(const Field& field) {
  std::vector<ReferenceField> batch;
  for (const Vector& v : to_vectors(field)) batch.push_back(from_vector<ReferenceField>(v));
  return batch;
}

// Copy in host memory, and there in double.
Field on_host(const Field& field);
Field in_double(const Field& field);

// Over this rank's sites that the field holds. Of reals; both over the largest one that is expected; not a
// number where one is.
class Deviation {
 public:
  double most() const { return most_ / largest_; }
  double mean() const;  // root of the mean square
  std::int64_t count() const { return count_; }
  void add(double found, double expected);
  void add(const Deviation& other);

 private:
  double most_ = 0, squares_ = 0, largest_ = 0;
  std::int64_t count_ = 0;
};
Deviation deviation(const Field& field, const Columns& expected);
// Largest |field - expected| of complex numbers.
double max_difference(const Field& field, const Columns& expected);
inline double max_difference(const Field& field, const std::vector<reference::SpinorField>& expected) {
  return max_difference(field, Columns(expected));
}

// Fingerprints of all bits of a right-hand side over the whole lattice, its slices together: equal on any
// process grid and in any batch. Collective.
std::vector<std::uint64_t> fingerprints(const Field& field, const ProcessGrid& grid);
// Fingerprint of the whole field.
std::uint64_t fingerprint(const Field& field, const ProcessGrid& grid);

}  // namespace plaq::test

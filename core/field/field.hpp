// A field on the lattice, everything about it known at run time only. Kernels open views on it.
//
// Memory order: subfield (right-hand side of a batch, or link direction mu), parity, then sites as
// core/field/layout.hpp has them; or parity, site, component, right-hand side. A site holds spins x colors
// complex numbers, or rows x columns of a matrix, fastest index last; compressed links hold fewer reals
// (core/field/link_reals.hpp). A vector in five dimensions is `slices` subfields, one for each s, in their
// order. A lattice without a checkerboard has all sites in parity 0.
#pragma once

#include <cstdint>

#include "core/field/layout.hpp"
#include "core/lattice/geometry.hpp"
#include "core/launch/queue.hpp"
#include "core/system/memory.hpp"

namespace plaq {

enum class Subset { even = 0, odd = 1, full = 2 };
constexpr Subset subset_of(int parity) { return parity == 0 ? Subset::even : Subset::odd; }

struct FieldSpec {
  Subset subset = Subset::full;
  int spins = 4;      // rows of a matrix
  int colors = 3;     // columns of a matrix
  int subfields = 1;  // right-hand sides, or 4 directions
  Precision precision = Precision::double_precision;
  Location location = Location::host;
  int compressed_reals = 0;  // reals a site where they are not 2 spins colors
  bool bounded = false;      // numbers are within [-1, 1]: in half precision no site needs a scale of its own
  int slices = 1;            // N_s, the extent of a fifth dimension: `subfields` is a multiple of it
  Order order = Order::sites_fastest;

  int reals() const { return compressed_reals != 0 ? compressed_reals : 2 * spins * colors; }
  int batch() const { return subfields / slices; }  // right-hand sides
  bool with_scale() const { return bytes_of(precision) <= 2 && !bounded; }
  bool operator==(const FieldSpec&) const = default;
};

inline FieldSpec spinor_spec(Subset subset, int batch, Precision precision, Location location) {
  return {subset, 4, 3, batch, precision, location};
}
// Vectors of a coarse lattice: two chiralities of `components` each.
inline FieldSpec coarse_spec(Subset subset, int components, int batch, Precision precision, Location location,
                             Order order = Order::sites_fastest) {
  FieldSpec spec{subset, 2, components, batch, precision, location};
  spec.order = order;
  return spec;
}
// Color vectors of staggered quarks.
inline FieldSpec staggered_spec(Subset subset, int batch, Precision precision, Location location) {
  return {subset, 1, 3, batch, precision, location};
}
// Spinors in five dimensions, of `slices` subfields each.
inline FieldSpec five_dimensional_spec(Subset subset, int batch, int slices, Precision precision,
                                       Location location) {
  FieldSpec spec = spinor_spec(subset, batch * slices, precision, location);
  spec.slices = slices;
  return spec;
}
// Links as 18, 12 or 8 reals.
inline FieldSpec gauge_spec(Precision precision, Location location, int reals = 18) {
  return {Subset::full, 3, 3, 4, precision, location, reals == 18 ? 0 : reals, true};
}

// Memory of a field, and what copy() takes on the host for a moment where a GPU has part in it.
std::size_t field_bytes(const Geometry& geometry, const FieldSpec& spec);
std::size_t copy_staging_bytes(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                               const FieldSpec& from_spec);

class Field;
// Copies between fields of the same sites, inner shape, reals and subfields: any location, order and
// precision (rounds to nearest; half and quarter precision set each site's scale by its largest magnitude).
// Between a geometry and its extended form only the owned sites are copied. Waits for the end.
void copy(Field& to, const Field& from);

class Field {
 public:
  Field() = default;
  // Zero everywhere, padding included; links in half precision have to be set.
  Field(GeometryPtr geometry, const FieldSpec& spec);

  const Geometry& geometry() const { return *geometry_; }
  const GeometryPtr& geometry_ptr() const { return geometry_; }
  const FieldSpec& spec() const { return spec_; }
  const Layout& layout() const { return layout_; }
  Location location() const { return spec_.location; }
  Precision precision() const { return spec_.precision; }
  int subfields() const { return spec_.subfields; }
  int slices() const { return spec_.slices; }
  int batch() const { return spec_.batch(); }
  int parities() const { return spec_.subset == Subset::full ? lattice_parities() : 1; }
  bool holds(int parity) const {
    return spec_.subset == Subset::full ? parity < lattice_parities()
                                        : static_cast<int>(spec_.subset) == parity;
  }
  int reals_per_site() const { return spec_.reals(); }
  std::size_t bytes() const { return buffer_.bytes(); }
  const Buffer& buffer() const { return buffer_; }  // all of it; copies keep it
  explicit operator bool() const { return static_cast<bool>(buffer_); }

  // First real of subfield and parity, and units (core/field/layout.hpp) from subfield to subfield.
  void* data(int subfield, int parity) const;
  std::size_t subfield_stride() const {
    if (spec_.order == Order::right_hand_sides_fastest) return 2;
    return static_cast<std::size_t>(parities()) * layout_.size();
  }

  // Owners of contents that others keep copies of (gauge fields) call touch() after every change; caches
  // compare.
  std::uint64_t version() const { return version_; }
  void touch();

 private:
  friend void copy(Field& to, const Field& from);
  Field staged_on_host() const;
  void load_staged(const Field& staged);
  int lattice_parities() const { return geometry_ ? geometry_->parities() : 2; }

  GeometryPtr geometry_;
  FieldSpec spec_;
  Layout layout_;
  Buffer buffer_;
  std::uint64_t version_ = 0;
};

// Throws an internal error unless the field is what the view is for, sites fastest; links of `reals` reals.
void expect(const Field& field, Location location, Precision precision, int spins, int colors, int reals = 0);

// Copies the sites of `parity` between fields of one location, precision and shape; both hold them. Queued.
void copy_parity(Field& to, const Field& from, int parity, const Queue& queue);

// Copies one subfield between fields that are alike but for their number of subfields, sites fastest. Waits
// for the end.
void copy_subfield(Field& to, int to_subfield, const Field& from, int from_subfield);

// Host access to single components, for input, output and tests: not for kernels. `site` is a checkerboard
// index. What is in half precision can be read only: a component alone has no scale.
double get_real(const Field& host_field, int subfield, int parity, int site, int real);
void set_real(Field& host_field, int subfield, int parity, int site, int real, double value);

}  // namespace plaq

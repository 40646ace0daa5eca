// A field on the lattice, everything about it known at run time only. Kernels open views on it.
//
// Memory order: subfield (right-hand side of a batch, or link direction mu), parity, then sites as
// core/field/layout.hpp has them; or parity, site, component, right-hand side. A site holds spins x colors
// complex numbers, or rows x columns of a matrix, fastest index last; compressed links hold fewer reals
// (core/field/reconstruction.hpp). A vector in five dimensions is `Ls` subfields, one for each s, in their
// order. A lattice without a checkerboard has all sites in parity 0.
#pragma once

#include <cstdint>

#include "core/field/layout.hpp"
#include "core/lattice/geometry.hpp"
#include "core/launch/queue.hpp"
#include "core/system/memory.hpp"

namespace plaq {

/// Sites that a field has: those of one parity, or all.
enum class Subset { even = 0, odd = 1, full = 2 };
/// Subset of the sites of a parity.
constexpr Subset subset_of(int parity) { return parity == 0 ? Subset::even : Subset::odd; }

/// Shape and storage of a field.
struct FieldSpec {
  Subset subset = Subset::full;                       ///< sites that the field has
  int spins = 4;                                      ///< rows of a matrix
  int colors = 3;                                     ///< columns of a matrix
  int subfields = 1;                                  ///< right-hand sides, or 4 directions
  Precision precision = Precision::double_precision;  ///< precision of each stored number
  Location location = Location::host;                 ///< host or device
  int compressed_reals = 0;                           ///< reals a site where they are not 2 spins colors
  bool bounded = false;  ///< numbers are within [-1, 1]: in half precision no site needs a scale of its own
  int Ls = 1;            ///< extent of the fifth dimension: `subfields` is a multiple of it
  Order order = Order::sites_fastest;  ///< what is contiguous in memory

  /// Reals of a site and subfield.
  int reals() const { return compressed_reals != 0 ? compressed_reals : 2 * spins * colors; }
  int batch() const { return subfields / Ls; }  ///< right-hand sides
  /// True if each site has a scale of its own: 16-bit or 8-bit numbers that are not bounded.
  bool with_scale() const { return bytes_of(precision) <= 2 && !bounded; }
  bool operator==(const FieldSpec&) const = default;
};

/// Spinors of four spins and three colors.
/// @param subset  sites that the field has
/// @param batch  right-hand sides
/// @param precision  of each stored number
/// @param location  host or device
inline FieldSpec spinor_spec(Subset subset, int batch, Precision precision, Location location) {
  return {subset, 4, 3, batch, precision, location};
}
/// Vectors of a coarse lattice: two chiralities of `components` each.
/// @param subset  sites that the field has
/// @param components  of one chirality
/// @param batch  right-hand sides
/// @param precision  of each stored number
/// @param location  host or device
/// @param order  what is contiguous in memory
inline FieldSpec coarse_spec(Subset subset, int components, int batch, Precision precision, Location location,
                             Order order = Order::sites_fastest) {
  FieldSpec spec{subset, 2, components, batch, precision, location};
  spec.order = order;
  return spec;
}
/// Color vectors of staggered quarks.
/// @param subset  sites that the field has
/// @param batch  right-hand sides
/// @param precision  of each stored number
/// @param location  host or device
inline FieldSpec staggered_spec(Subset subset, int batch, Precision precision, Location location) {
  return {subset, 1, 3, batch, precision, location};
}
/// Spinors in five dimensions, of `Ls` subfields each.
/// @param subset  sites that the field has
/// @param batch  right-hand sides
/// @param Ls  extent Ls of the fifth dimension
/// @param precision  of each stored number
/// @param location  host or device
inline FieldSpec five_dimensional_spec(Subset subset, int batch, int Ls, Precision precision,
                                       Location location) {
  FieldSpec spec = spinor_spec(subset, batch * Ls, precision, location);
  spec.Ls = Ls;
  return spec;
}
/// Links of SU(3), stored as 18, 12 or 8 reals.
inline FieldSpec gauge_spec(Precision precision, Location location, int reconstruction = 18) {
  return {Subset::full, 3, 3, 4, precision, location, reconstruction == 18 ? 0 : reconstruction, true};
}

/// Memory of a field in bytes.
std::size_t field_bytes(const Geometry& geometry, const FieldSpec& spec);
/// Memory in bytes that copy() takes on the host for a moment if a GPU has part in it.
/// @param to  sites of the field that is written
/// @param to_spec  its shape and storage
/// @param from  sites of the field that is read
/// @param from_spec  its shape and storage
std::size_t copy_staging_bytes(const Geometry& to, const FieldSpec& to_spec, const Geometry& from,
                               const FieldSpec& from_spec);

class Field;
/// Copies between fields of the same sites, inner shape, reals and subfields: any location, order and
/// precision (rounds to nearest; half and quarter precision set each site's scale by its largest magnitude).
/// Between a geometry and its extended form only the owned sites are copied. Waits for the end.
void copy(Field& to, const Field& from);

/// Numbers at the sites of this rank. Copies share their memory; copy() makes independent ones.
class Field {
 public:
  /// A field without memory.
  Field() = default;
  /// Zero everywhere, padding included; links in half precision have to be set.
  Field(GeometryPtr geometry, const FieldSpec& spec);

  const Geometry& geometry() const { return *geometry_; }        ///< sites of this rank
  const GeometryPtr& geometry_ptr() const { return geometry_; }  ///< the shared geometry
  const FieldSpec& spec() const { return spec_; }                ///< shape and storage
  const Layout& layout() const { return layout_; }               ///< places of numbers in memory
  Location location() const { return spec_.location; }           ///< host or device
  Precision precision() const { return spec_.precision; }        ///< of each stored number
  int subfields() const { return spec_.subfields; }  ///< right-hand sides times slices, or 4 directions
  int Ls() const { return spec_.Ls; }                ///< extent Ls of the fifth dimension, else 1
  int batch() const { return spec_.batch(); }        ///< right-hand sides
  int parities() const { return spec_.subset == Subset::full ? lattice_parities() : 1; }  ///< 1 or 2
  /// True if the field has sites of this parity.
  bool holds(int parity) const {
    return spec_.subset == Subset::full ? parity < lattice_parities()
                                        : static_cast<int>(spec_.subset) == parity;
  }
  int reals_per_site() const { return spec_.reals(); }                   ///< reals of a site and subfield
  std::size_t bytes() const { return buffer_.bytes(); }                  ///< size of the memory
  const Buffer& buffer() const { return buffer_; }                       ///< all of it; copies keep it
  explicit operator bool() const { return static_cast<bool>(buffer_); }  ///< true if there is memory

  /// First real of a subfield and parity.
  void* data(int subfield, int parity) const;
  /// Units (core/field/layout.hpp) from a subfield to the next.
  std::size_t subfield_stride() const {
    if (spec_.order == Order::right_hand_sides_fastest) return 2;
    return static_cast<std::size_t>(parities()) * layout_.size();
  }

  /// Version of the contents, which objects compare that keep data computed from them.
  std::uint64_t version() const { return version_; }
  /// Says that the contents have changed: whoever changes a gauge field calls it afterwards.
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

/// Throws an internal error unless the field is what the view is for, sites fastest; links of `reals` reals.
/// @param field  the field that is checked
/// @param location  host or device
/// @param precision  of each stored number
/// @param spins  rows of a site
/// @param colors  columns of a site
/// @param reals  of a compressed link; 0: 2 spins colors
void expect(const Field& field, Location location, Precision precision, int spins, int colors, int reals = 0);

/// Copies the sites of `parity` between fields of one location, precision and shape; both hold them. Queued.
/// @param to  the field that is written
/// @param from  the field that is read
/// @param parity  0 or 1
/// @param queue  where the work is queued
void copy_parity(Field& to, const Field& from, int parity, const Queue& queue);

/// Copies one subfield between fields that are alike but for their number of subfields and Ls, sites fastest.
/// Waits for the end.
/// @param to  the field that is written
/// @param to_subfield  number of the subfield there
/// @param from  the field that is read
/// @param from_subfield  number of the subfield there
void copy_subfield(Field& to, int to_subfield, const Field& from, int from_subfield);

/// Copies one right-hand side, all of its slices, between fields that are alike but for their number of
/// right-hand sides, sites fastest. Waits for the end.
/// @param to  the field that is written
/// @param to_rhs  number of the right-hand side there
/// @param from  the field that is read
/// @param from_rhs  number of the right-hand side there
void copy_right_hand_side(Field& to, int to_rhs, const Field& from, int from_rhs);

/// Reads a component on the host, for input, output and tests: not for kernels. `site` is a checkerboard
/// index.
/// @param host_field  a field on the host
/// @param subfield  number of the subfield
/// @param parity  0 or 1
/// @param site  checkerboard index
/// @param real  number of the real, 2 c and 2 c + 1 of complex number c
double get_real(const Field& host_field, int subfield, int parity, int site, int real);
/// Writes a component on the host. In half precision this is an internal error: a component alone has no
/// scale.
/// @param host_field  a field on the host
/// @param subfield  number of the subfield
/// @param parity  0 or 1
/// @param site  checkerboard index
/// @param real  number of the real, 2 c and 2 c + 1 of complex number c
/// @param value  the new number
void set_real(Field& host_field, int subfield, int parity, int site, int real, double value);

}  // namespace plaq

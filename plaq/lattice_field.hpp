// The base of all fields on a lattice.
#pragma once

#include "core/field/field.hpp"
#include "plaq/lattice.hpp"

namespace plaq {

/// Numbers on all sites of a lattice, in the memory of the lattice's location. A copy is a field of its own;
/// a moved field must not be used.
class LatticeField {
 public:
  const Lattice& lattice() const { return lattice_; }         ///< lattice of the field
  Precision precision() const { return field_.precision(); }  ///< of each number
  /// For the classes of plaq: the field without halo. Whoever changes it calls touch() of it.
  const Field& field() const { return field_; }
  Field& field() { return field_; }

 protected:
  /// For the classes of fields: zero everywhere, or the numbers of a field.
  LatticeField(const Lattice& lattice, const FieldSpec& spec);
  LatticeField(const Lattice& lattice, Field field) : lattice_(lattice), field_(std::move(field)) {}
  LatticeField(const LatticeField& other);
  LatticeField(LatticeField&&) = default;
  LatticeField& operator=(const LatticeField& other);
  LatticeField& operator=(LatticeField&&) = default;
  ~LatticeField() = default;

 private:
  Lattice lattice_;
  Field field_;
};

}  // namespace plaq

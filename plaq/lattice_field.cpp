#include "plaq/lattice_field.hpp"

#include "comms/start/shared_lattice.hpp"

namespace plaq {
namespace {

Field copy_of(const Field& field) {
  Field made(field.geometry_ptr(), field.spec());
  copy(made, field);
  return made;
}

}  // namespace

LatticeField::LatticeField(const Lattice& lattice, const FieldSpec& spec)
    : lattice_(lattice), field_(lattice.shared().geometry, spec) {}
LatticeField::LatticeField(const LatticeField& other)
    : lattice_(other.lattice_), field_(copy_of(other.field_)) {}
LatticeField& LatticeField::operator=(const LatticeField& other) {
  if (this != &other) *this = LatticeField(other);
  return *this;
}

}  // namespace plaq

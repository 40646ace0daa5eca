// Fields as Python has them: numbers on a lattice, on which they keep a hold.
#pragma once

#include <nanobind/nanobind.h>

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "core/field/field.hpp"
#include "observables/quark/propagator_note.hpp"
#include "plaq/spinor_field.hpp"
#include "python/bindings/lattice.hpp"

namespace plaq::python {

struct LatticeField {
  LatticePtr lattice;
  Field field;  // without halo

  const Queue& queue() const { return lattice->queue(); }
  Call call() const { return lattice->call(); }
};

// Links U_mu(x), 3x3, in double precision.
struct GaugeField : LatticeField {
  std::string file = {};  // that it was read from; empty: none
  // Format and checksum of that file, as long as the links are those that were read: version() of the field then.
  struct Identity {
    std::string format, checksum;
    std::uint64_t version = 0;
  };
  std::optional<Identity> read = {};

  const Identity* identity() const { return read && read->version == field.version() ? &*read : nullptr; }
};

// g(x), 3x3, in double precision: U_mu(x) -> g(x) U_mu(x) g(x+mu)^dagger.
struct Transformation : LatticeField {};

// Spinors or color vectors, a subfield for each column; of five dimensions N_s subfields for each.
struct QuarkField : LatticeField {
  PropagatorNote note = {};                  // what is known of them, as files state it
  std::optional<ColumnsSolved> solved = {};  // of what a solver found
};

// The same sites, shape and precision, zero everywhere.
Field like(const Field& field);
Field like(const Field& field, int subfields);

// The links with a filled halo, as measurements and smearing want them. Collective.
Field with_halo(const GaugeField& gauge);
// A field of its own with the same links, and what is known of their file. Collective.
GaugeField copy_of(const GaugeField& gauge);
// Links of a field with a halo, or at another location, as Python has them.
GaugeField gauge_of(const LatticePtr& lattice, const Field& links);

void expect_same_lattice(const LatticeField& a, const LatticeField& b);
void expect_site(const LatticePtr& lattice, const Extents& site);
// Of quarks around the lattice in time.
void expect_sign(int sign);
void expect_spins(int spins);
// Throws Error(usage) unless a field with N_s slices each can have so many columns.
void expect_columns(int columns, int slices);

void bind_fields(nanobind::module_& module);
using GaugeClass = nanobind::class_<GaugeField, LatticeField>;
GaugeClass bind_gauge(nanobind::module_& module);
void bind_gauge_fixing(nanobind::module_& module, GaugeClass& gauge);
void bind_quarks(nanobind::module_& module);

}  // namespace plaq::python

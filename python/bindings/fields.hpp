// Functions that the bindings of fields share. Fields are those of the C++ interface: GaugeField,
// ColorMatrixField (GaugeTransformation in Python) and SpinorField (QuarkField).
#pragma once

#include <nanobind/nanobind.h>

#include "plaq/argument_checks.hpp"
#include "plaq/color_matrix_field.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"
#include "python/bindings/lattice.hpp"

namespace plaq::python {

void expect_same_lattice(const LatticeField& a, const LatticeField& b);
// Expects this boundary sign of quarks in time.
void expect_sign(int sign);

void bind_fields(nanobind::module_& module);
using GaugeClass = nanobind::class_<GaugeField, LatticeField>;
GaugeClass bind_gauge(nanobind::module_& module);
void bind_gauge_fixing(nanobind::module_& module, GaugeClass& gauge);
void bind_quarks(nanobind::module_& module);

/// The propagator in the memory of a field.
Propagator propagator_in(const SpinorField& q);

}  // namespace plaq::python

// Three-point functions, quark loops, residual masses and the quark propagator in momentum space in Python.
#pragma once

#include <nanobind/nanobind.h>

#include "settings/schema/schema.hpp"

namespace plaq::python {

/// The keys of three_point(), quark_loops() and quark_propagator().
const settings::Schema& three_point_schema();
const settings::Schema& quark_loops_schema();
const settings::Schema& quark_propagator_schema();

void bind_quark_observables(nanobind::module_& module);

}  // namespace plaq::python

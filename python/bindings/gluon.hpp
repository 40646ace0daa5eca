// Gluon and ghost propagators and Wilson loops in Python.
#pragma once

#include <nanobind/nanobind.h>

#include "settings/schema/schema.hpp"

namespace plaq::python {

/// The keys of gluon_propagator(), ghost_propagator() and wilson_loops().
const settings::Schema& gluon_schema();
const settings::Schema& ghost_schema();
const settings::Schema& wilson_loops_schema();

void bind_gluon(nanobind::module_& module);

}  // namespace plaq::python

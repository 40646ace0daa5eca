// Low modes of Dirac operators in Python.
#pragma once

#include <nanobind/nanobind.h>

#include "settings/schema/schema.hpp"

namespace plaq::python {

/// The keys of low_modes(), beside those of the operator.
const settings::Schema& low_modes_schema();

void bind_low_modes(nanobind::module_& module);

}  // namespace plaq::python

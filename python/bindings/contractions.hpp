// Two-point functions of quark fields, for Python.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

void bind_contractions(nanobind::module_& module);

}  // namespace plaq::python

// Neighbours of fields in Python.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

/// shift(), covariant_shift(), covariant_derivative() and path_product().
void bind_neighbours(nanobind::module_& module);

}  // namespace plaq::python

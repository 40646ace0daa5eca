// Linear operators from and for Python, and Krylov methods on them.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

void bind_operators(nanobind::module_& module);

}  // namespace plaq::python

// The commands of the program, as functions.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

void bind_commands(nanobind::module_& module);

}  // namespace plaq::python

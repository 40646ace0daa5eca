// Generation of quenched gauge fields.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

void bind_heatbath(nanobind::module_& module);

}  // namespace plaq::python

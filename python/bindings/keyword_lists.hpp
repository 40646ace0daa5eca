// Keyword arguments of the functions that take keys of job files, as the schema has them: for signatures and stubs.
#pragma once

#include <nanobind/nanobind.h>

namespace plaq::python {

/// module.keyword_lists(): {"Clover": [(name, annotation, default), ...], ...}, texts as Python has them; {"table": ...} for
/// dicts of keys. Methods are "GaugeField.smear".
void bind_keyword_lists(nanobind::module_& module);

}  // namespace plaq::python

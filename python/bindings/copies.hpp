// Copies of objects by Python's module copy, and the word that pickle gets of
// those which belong to their process.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

namespace plaq::python {

/// Defines copy(), __copy__() and __deepcopy__() by `make`, a function of the
/// object; `text` describes copy().
template <class Class, class Make>
void def_copies(Class& bound, Make make, const char* text) {
  using T = typename Class::Type;
  bound.def("copy", make, text);
  bound.def("__copy__", make);
  bound.def(
      "__deepcopy__", [make](const T& self, nanobind::handle) { return make(self); }, nanobind::arg("memo"));
}

/// Objects that nobody changes are their own copies.
template <class Class>
void def_own_copies(Class& bound) {
  bound.def("__copy__", [](nanobind::object self) { return self; });
  bound.def(
      "__deepcopy__", [](nanobind::object self, nanobind::handle) { return self; }, nanobind::arg("memo"));
}

/// Raises TypeError with `how`: what to do in place of pickling.
template <class Class>
void refuse_pickle(Class& bound, const char* how) {
  bound.def(
      "__reduce_ex__",
      [how](nanobind::handle, nanobind::handle) -> nanobind::tuple { throw nanobind::type_error(how); },
      nanobind::arg("protocol"));
}

}  // namespace plaq::python

#include "python/bindings/bindings.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <typeinfo>

#include "core/system/error.hpp"
#include "core/system/log.hpp"

namespace nb = nanobind;

namespace plaq::python {

void translate_errors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void*) {
        try {
          std::rethrow_exception(pointer);
        } catch (const Error& error) {
          const nb::object made = nb::module_::import_("plaq.errors")
                                      .attr("of_code")(exit_code(error.kind()), printable(error.what()));
          PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
        } catch (const std::bad_cast&) {
          PyErr_SetString(PyExc_TypeError,
                          "an argument, or what a function returned, has a type that is not taken here");
        }
      },
      nullptr);
}

}  // namespace plaq::python

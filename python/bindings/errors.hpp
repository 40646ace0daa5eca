// What Python sees of plaq's errors: the classes of plaq/errors.py, by exit code.
#pragma once

namespace plaq::python {

// Makes plaq's Error an exception of the class with its exit code.
void translate_errors();

}  // namespace plaq::python

// Terms of the action that are written in Python.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "plaq/action_term.hpp"

namespace plaq::python {

/// Objects with `name`, action(links) and force(links), and draw(links, seed, trajectory) if they have it.
/// Call it with the GIL held, and keep the result for longer than any call that uses it.
std::vector<ActionTermPtr> terms_of(nanobind::handle objects);

}  // namespace plaq::python

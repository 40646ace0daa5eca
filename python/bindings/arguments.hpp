// Arguments of calls whose types nanobind does not check by itself. What has another kind is one Error(usage)
// that names the argument, what is wanted and what was found.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/error.hpp"
#include "core/system/location.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq::python {

/// The repr of an object, cut to a line.
std::string found_text(nanobind::handle found);

[[noreturn]] void refuse_argument(std::string_view argument, std::string_view wanted, nanobind::handle found);

/// Converts like nanobind::cast, with an error that says what is wanted.
template <class T>
T argument_as(nanobind::handle given, std::string_view argument, std::string_view wanted) {
  try {
    return nanobind::cast<T>(given);
  } catch (const std::bad_cast&) {
    refuse_argument(argument, wanted, given);
  }
}

/// The integer of an object with __index__, which floating-point numbers have not.
std::int64_t integer_of(nanobind::handle given, std::string_view argument, std::string_view wanted);

/// n of p = 2 pi n / L.
Momentum momentum_of(nanobind::handle given);

/// One momentum, or a list of them: results have an axis for a list.
struct Momenta {
  explicit Momenta(nanobind::handle given);
  std::vector<Momentum> all;
  bool list = false;
};

/// A path: str, bytes or os.PathLike.
std::string path_of(nanobind::handle given, std::string_view argument);

/// The path as os.fsdecode() gives it.
nanobind::object decoded(const std::string& path);

/// Throws Error(usage) unless it is a function or None.
void expect_function(nanobind::handle given, std::string_view argument);

/// The precision named "single" or "double".
Precision precision_named(const std::string& precision);

}  // namespace plaq::python

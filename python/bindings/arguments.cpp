#include "python/bindings/arguments.hpp"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <utility>

#include "core/system/log.hpp"

namespace nb = nanobind;

namespace plaq::python {
namespace {

constexpr std::string_view three_integers = "three integers n of p = 2 pi n / L, or a list of such momenta";

}  // namespace

std::string found_text(nb::handle found) {
  constexpr std::size_t longest = 80;
  std::string text = nb::repr(found).c_str();
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return printable(text);
}

void refuse_argument(std::string_view argument, std::string_view wanted, nb::handle found) {
  throw Error(ErrorKind::usage,
              fmt::format("argument '{}': expected {}, found {}", argument, wanted, found_text(found)));
}

std::int64_t integer_of(nb::handle given, std::string_view argument, std::string_view wanted) {
  const nb::object index = nb::steal(PyNumber_Index(given.ptr()));
  int overflow = 1;
  const std::int64_t found = index.is_valid() ? PyLong_AsLongLongAndOverflow(index.ptr(), &overflow) : 0;
  PyErr_Clear();
  if (overflow != 0) refuse_argument(argument, wanted, given);
  return found;
}

Momentum momentum_of(nb::handle given) {
  const nb::object elements = nb::steal(PySequence_Fast(given.ptr(), ""));
  PyErr_Clear();
  Momentum momentum{};
  if (!elements.is_valid() || nb::len(elements) != momentum.size())
    refuse_argument("momentum", three_integers, given);
  for (std::size_t i = 0; i < momentum.size(); ++i) {
    const std::int64_t n = integer_of(elements[i], "momentum", three_integers);
    if (!std::in_range<int>(n)) refuse_argument("momentum", three_integers, given);
    momentum[i] = static_cast<int>(n);
  }
  return momentum;
}

Momenta::Momenta(nb::handle given) {
  if (PySequence_Check(given.ptr()) != 0)
    for (nb::handle one : nb::list(given)) list = list || nb::hasattr(one, "__len__");
  if (!list)
    all = {momentum_of(given)};
  else
    for (nb::handle one : nb::list(given)) all.push_back(momentum_of(one));
}

std::string path_of(nb::handle given, std::string_view argument) {
  return argument_as<std::filesystem::path>(given, argument, "a path: str, bytes or os.PathLike").string();
}

nb::object decoded(const std::string& path) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
}

void expect_function(nb::handle given, std::string_view argument) {
  if (!given.is_none() && PyCallable_Check(given.ptr()) == 0)
    refuse_argument(argument, "a function or None", given);
}

Precision precision_named(const std::string& precision) {
  if (precision != "single" && precision != "double")
    throw Error(
        ErrorKind::usage,
        fmt::format("argument 'precision': expected \"single\" or \"double\", found \"{}\"", precision));
  return precision == "single" ? Precision::single_precision : Precision::double_precision;
}

}  // namespace plaq::python

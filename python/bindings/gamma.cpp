#include "python/bindings/gamma.hpp"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "core/system/error.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

using Number = SpinMatrix::Number;
constexpr unsigned count = 16, all = 15;

constexpr GammaMatrix product(unsigned gammas) {
  GammaMatrix found = unit_gamma();
  for (int mu = 0; mu < 4; ++mu)
    if ((gammas >> mu & 1) != 0) found = found * gamma(mu);
  return found;
}
static_assert(product(all) == gamma5());

// 1 or -1: b = sign a.
constexpr double sign_between(const GammaMatrix& a, const GammaMatrix& b) { return a == b ? 1 : -1; }

GammaMatrix times_i(GammaMatrix g) {
  for (int& phase : g.phase) phase = (phase + 1) % 4;
  return g;
}

// A product as the reader writes it, and its sign: of three matrices gamma(mu) @ gamma5.
std::pair<std::string, double> named(unsigned gammas) {
  if (gammas == 0) return {"identity", 1};
  if (gammas == all) return {"gamma5", 1};
  if (std::popcount(gammas) == 3) {
    const int mu = std::countr_zero(all ^ gammas);
    return {fmt::format("gamma({}) @ gamma5", mu), sign_between(product(gammas), gamma(mu) * gamma5())};
  }
  std::string text;
  for (int mu = 0; mu < 4; ++mu)
    if ((gammas >> mu & 1) != 0) text += fmt::format("{}gamma({})", text.empty() ? "" : " @ ", mu);
  return {text, 1};
}

// "0.5 * ", "1j * ", "(1+2j) * "; empty: 1.
std::string factor_text(const Number& x) {
  if (x == 1.0) return "";
  if (x.imag() == 0) return fmt::format("{} * ", x.real());
  if (x.real() == 0) return fmt::format("{}j * ", x.imag());
  return fmt::format("({}{:+}j) * ", x.real(), x.imag());
}

bool is_negative(const Number& x) { return x.real() < 0 || (x.real() == 0 && x.imag() < 0); }

}  // namespace

SpinMatrix::SpinMatrix(const Coefficients& coefficients) : coefficients_(coefficients) {
  for (const Number& x : coefficients_)
    if (!std::isfinite(x.real()) || !std::isfinite(x.imag()))
      throw Error(ErrorKind::usage, "a spin matrix with a coefficient that is not finite");
}

SpinMatrix SpinMatrix::product_of(unsigned gammas) {
  SpinMatrix made;
  made.coefficients_[gammas] = 1;
  return made;
}

std::array<Number, 16> SpinMatrix::matrix() const {
  constexpr Number power[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  std::array<Number, 16> m{};
  for (unsigned k = 0; k < count; ++k) {
    if (coefficients_[k] == 0.0) continue;
    const GammaMatrix g = product(k);
    for (std::size_t row = 0; row < 4; ++row)
      m[4 * row + (row ^ static_cast<std::size_t>(g.flip))] += coefficients_[k] * power[g.phase[row]];
  }
  return m;
}

std::string SpinMatrix::text() const {
  std::string text;
  for (unsigned k = 0; k < count; ++k) {
    const auto [name, sign] = named(k);
    Number x = coefficients_[k] * sign;
    if (x == 0.0) continue;
    const bool negative = is_negative(x);
    if (negative) x = -x;
    x += 0.0;  // no -0
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    text += factor_text(x) + name;
  }
  return text.empty() ? "0 * identity" : text;
}

SpinMatrix operator+(const SpinMatrix& a, const SpinMatrix& b) {
  SpinMatrix::Coefficients sum = a.coefficients();
  for (unsigned k = 0; k < count; ++k) sum[k] += b.coefficients()[k];
  return SpinMatrix(sum);
}

SpinMatrix operator*(const SpinMatrix& a, const SpinMatrix& b) {
  SpinMatrix::Coefficients found{};
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < count; ++j)
      if (a.coefficients()[i] != 0.0 && b.coefficients()[j] != 0.0)
        found[i ^ j] +=
            sign_between(product(i) * product(j), product(i ^ j)) * a.coefficients()[i] * b.coefficients()[j];
  return SpinMatrix(found);
}

SpinMatrix operator*(const SpinMatrix::Number& a, const SpinMatrix& b) {
  SpinMatrix::Coefficients found = b.coefficients();
  for (Number& x : found) x = x == 0.0 ? Number() : a * x;
  return SpinMatrix(found);
}

std::vector<SpinStructure> structures_of(const SpinMatrix& sink, const SpinMatrix& source) {
  std::vector<SpinStructure> pairs;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < count; ++j) {
      const Number weight = sink.coefficients()[i] * source.coefficients()[j];
      if (weight.real() != 0) pairs.push_back({product(i), product(j), weight.real()});
      if (weight.imag() != 0) pairs.push_back({times_i(product(i)), product(j), weight.imag()});
    }
  if (pairs.empty()) pairs.push_back({unit_gamma(), unit_gamma(), 0});
  return pairs;
}

namespace {

SpinorField times(const SpinMatrix& matrix, const SpinorField& psi) {
  std::optional<SpinorField> sum;
  for (unsigned k = 0; k < count; ++k) {
    const Number x = matrix.coefficients()[k];
    if (x == 0.0) continue;
    SpinorField term = product(k) * psi;
    if (!sum)
      sum = x == 1.0 ? std::move(term) : x * term;
    else
      add(*sum, x, term);
  }
  return sum ? *std::move(sum) : 0.0 * (product(0) * psi);
}

}  // namespace

void bind_gamma(nb::module_& module) {
  nb::class_<SpinMatrix> matrix(
      module, "GammaMatrix",
      "A 4x4 spin matrix, made of gamma(mu), gamma5 and identity by sums, products and\n"
      "numbers: 0.5 * (identity + gamma(3)) @ gamma5. Both @ and * are the product of\n"
      "matrices, and that with the spinors of a QuarkField. Euclidean, DeGrand-Rossi basis.");
  matrix.attr("__array_ufunc__") = nb::none();  // products with numbers of numpy stay what they are
  const auto product_with_field = [](const SpinMatrix& a, const SpinorField& psi) {
    return in_call(psi, [&] { return times(a, psi); });
  };
  const auto array = [](const SpinMatrix& g) {
    const auto m = g.matrix();
    return numpy_of(std::vector<Number>(m.begin(), m.end()), {4, 4});
  };
  matrix
      .def(
          "__add__", [](const SpinMatrix& a, const SpinMatrix& b) { return a + b; }, nb::is_operator())
      .def(
          "__sub__", [](const SpinMatrix& a, const SpinMatrix& b) { return a + Number(-1) * b; },
          nb::is_operator())
      .def(
          "__matmul__", [](const SpinMatrix& a, const SpinMatrix& b) { return a * b; }, nb::is_operator())
      .def("__matmul__", product_with_field, nb::is_operator())
      .def(
          "__mul__", [](const SpinMatrix& a, const SpinMatrix& b) { return a * b; }, nb::is_operator())
      .def(
          "__mul__", [](const SpinMatrix& a, const Number& x) { return x * a; }, nb::is_operator())
      .def("__mul__", product_with_field, nb::is_operator())
      .def(
          "__rmul__", [](const SpinMatrix& a, const Number& x) { return x * a; }, nb::is_operator())
      .def(
          "__truediv__", [](const SpinMatrix& a, const Number& x) { return (1.0 / x) * a; },
          nb::is_operator())
      .def("__neg__", [](const SpinMatrix& a) { return Number(-1) * a; })
      .def("__pos__", [](const SpinMatrix& a) { return a; })
      .def(
          "__eq__", [](const SpinMatrix& a, const SpinMatrix& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const SpinMatrix& a) { return nb::hash(nb::tuple(nb::cast(a.coefficients()))); })
      .def("__repr__", &SpinMatrix::text)
      .def("__getstate__", [](const SpinMatrix& a) { return a.coefficients(); })
      .def("__setstate__",
           [](SpinMatrix& a, const SpinMatrix::Coefficients& coefficients) {
             new (&a) SpinMatrix(coefficients);
           })
      .def(
          "__array__",
          [array](const SpinMatrix& g, nb::handle dtype, nb::handle copies) -> nb::object {
            expect_copy(copies);
            return dtype.is_none() ? array(g) : array(g).attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def_prop_ro("matrix", array, "As a 4x4 array.");
  def_own_copies(matrix);
  module.def(
      "gamma",
      [](int mu) {
        if (mu < 0 || mu > 3)
          throw Error(ErrorKind::usage, "gamma(mu): mu must be 0, 1, 2 or 3 for x, y, z, t");
        return SpinMatrix::product_of(1u << mu);
      },
      "mu"_a, "gamma_x, gamma_y, gamma_z, gamma_t: mu = 0, 1, 2, 3.");
  module.attr("gamma5") = SpinMatrix::product_of(all);
  module.attr("identity") = SpinMatrix::product_of(0);
}

}  // namespace plaq::python

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "plaq/vertices.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

nb::object array_of_matrix(const OpenSpinColor& matrix) {
  return numpy_of(std::vector<std::complex<double>>(matrix.numbers.begin(), matrix.numbers.end()), {12, 12});
}

nb::object propagator_of_momentum(const SpinorField& quark, const std::array<int, 4>& n) {
  const Propagator q = propagator_in(quark);
  return array_of_matrix(in_call(quark, [&] { return momentum_propagator(q, n); }));
}

// {current: [row][column]}.
nb::dict vertices_of(const SpinorField& in, const std::array<int, 4>& n_in, const SpinorField& out,
                     const std::array<int, 4>& n_out) {
  const Propagator q_in = propagator_in(in), q_out = propagator_in(out);
  const auto found = in_call(in, [&] { return quark_vertices(q_in, n_in, q_out, n_out); });
  nb::dict all;
  for (const std::string& name : bilinear_names()) all[name.c_str()] = array_of_matrix(found.at(name));
  return all;
}

// {operator: [colors][a][b][c][d]}.
nb::dict four_quark_vertices_of(const SpinorField& in, const std::array<int, 4>& n_in, const SpinorField& out,
                                const std::array<int, 4>& n_out) {
  const Propagator q_in = propagator_in(in), q_out = propagator_in(out);
  const auto found = in_call(in, [&] { return four_quark_vertices(q_in, n_in, q_out, n_out); });
  nb::dict all;
  for (const auto& [name, vertex] : found) {
    std::vector<std::complex<double>> numbers(vertex.joined.begin(), vertex.joined.end());
    numbers.insert(numbers.end(), vertex.crossed.begin(), vertex.crossed.end());
    all[name.c_str()] = numpy_of(numbers, {2, 4, 4, 4, 4});
  }
  return all;
}

}  // namespace

void bind_vertices(nb::module_& module) {
  module.def("momentum_propagator", &propagator_of_momentum, "quark"_a, "momentum"_a,
             nb::sig("def momentum_propagator(quark: QuarkField, momentum: Sequence[int]) -> "
                     "numpy.typing.NDArray"),
             "S(p) = (1/V) sum_x exp(-i p x) psi(x), an array [row][column] of 3 * spin + color,\n"
             "of the quark field psi that a solver made of volume_momentum_source() at this\n"
             "momentum. Collective.");
  module.def(
      "quark_vertices", &vertices_of, "quark_in"_a, "momentum_in"_a, "quark_out"_a, "momentum_out"_a,
      nb::sig("def quark_vertices(quark_in: QuarkField, momentum_in: Sequence[int], quark_out: QuarkField, "
              "momentum_out: Sequence[int]) -> dict[str, numpy.typing.NDArray]"),
      "Vertices (1/V) sum_x exp(-i (p_in - p_out) x) gamma5 psi_out^dagger gamma5 Gamma psi_in\n"
      "of all 16 bilinears, {current: array [row][column]} of 3 * spin + color, for RI/MOM\n"
      "and RI/SMOM as vertices jobs have them. The quark fields are those that a solver made\n"
      "of volume_momentum_source() on one gauge field in Landau gauge, which is not checked\n"
      "here. plaq.analysis.vertices amputates means of them. Collective.");
  module.def("four_quark_vertices", &four_quark_vertices_of, "quark_in"_a, "momentum_in"_a, "quark_out"_a,
             "momentum_out"_a,
             nb::sig("def four_quark_vertices(quark_in: QuarkField, momentum_in: Sequence[int], quark_out: "
                     "QuarkField, momentum_out: Sequence[int]) -> dict[str, numpy.typing.NDArray]"),
             "Vertices of four-quark operators (sbar Gamma d)(sbar Gamma d) of the quark fields of\n"
             "quark_vertices(), summed over the Gamma of scalar, pseudoscalar, vector, axial and\n"
             "tensor: {operator: array [colors][a][b][c][d]}, (1/V) sum_x exp(-2i (p_in - p_out) x)\n"
             "V_ab V_cd with open spins, V = gamma5 psi_out^dagger gamma5 Gamma psi_in. colors: those\n"
             "of each V joined, or those of both crossed. plaq.analysis.four_quark renormalises\n"
             "operators by means of them. Collective.");
}

}  // namespace plaq::python

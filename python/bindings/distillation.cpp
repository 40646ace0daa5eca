#include "python/bindings/bindings.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/system/error.hpp"
#include "plaq/distillation.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

std::size_t slices_of(const LaplacianModes& modes) {
  return static_cast<std::size_t>(modes.lattice().extents()[3]);
}

nb::object perambulator_array(Solver& solver, const LaplacianModes& modes, int t) {
  const int slices = modes.lattice().extents()[3];
  const int at = t < 0 ? t + slices : t;
  const auto numbers = in_call(modes.lattice(), [&] { return perambulator(solver.solver, modes, at); });
  const auto count = static_cast<std::size_t>(modes.count());
  return numpy_of(numbers, {slices_of(modes), 4, 4, count, count});
}

nb::object stochastic_array(Solver& solver, const LaplacianModes& modes, int t, int vector,
                            const std::string& noise, std::int64_t seed, int mode_dilution,
                            bool spin_dilution) {
  const std::optional<Noise> type = noise_named(noise);
  if (!type)
    throw Error(ErrorKind::usage,
                fmt::format("argument 'noise': \"{}\" is none of z2, z4, u1, z3, normal", noise));
  const int slices = modes.lattice().extents()[3];
  const int at = t < 0 ? t + slices : t;
  const ModeNoise how{.type = type, .seed = seed, .modes = mode_dilution, .spin = spin_dilution};
  const auto numbers = in_call(
      modes.lattice(), [&] { return stochastic_perambulator(solver.solver, modes, at, how, vector); });
  const auto count = static_cast<std::size_t>(modes.count());
  return numpy_of(numbers, {slices_of(modes), 4, 4, count, count});
}

nb::object lines_with_currents(Solver& solver, const LaplacianModes& modes, int t, int sink_time,
                               const std::vector<std::string>& operators,
                               const std::vector<std::array<int, 3>>& momenta, const GaugeField* gauge) {
  const int slices = modes.lattice().extents()[3];
  const int at = t < 0 ? t + slices : t;
  const QuarkLines found = in_call(modes.lattice(), [&] {
    return generalised_perambulators(solver.solver, modes, at, sink_time, {operators, momenta}, gauge);
  });
  const auto count = static_cast<std::size_t>(modes.count());
  return nb::make_tuple(
      numpy_of(found.perambulator, {slices_of(modes), 4, 4, count, count}),
      numpy_of(found.generalised, {operators.size(), momenta.size(), static_cast<std::size_t>(sink_time) + 1,
                                   4, 4, 4, 4, count, count}));
}

nb::object meson_elemental_array(const LaplacianModes& modes, const std::array<int, 3>& momentum,
                                 const std::string& derivative, const GaugeField* gauge) {
  if (derivative.empty() != (gauge == nullptr))
    throw Error(ErrorKind::usage, derivative.empty()
                                      ? "meson_elementals(): gauge is for derivatives alone; give both"
                                      : "meson_elementals(): a derivative needs the gauge field: gauge=U");
  const auto numbers = in_call(modes.lattice(), [&] {
    return gauge == nullptr ? meson_elementals(modes, momentum)
                            : meson_elementals(modes, *gauge, derivative, momentum);
  });
  const auto count = static_cast<std::size_t>(modes.count());
  return numpy_of(numbers, {slices_of(modes), count, count});
}

nb::object baryon_elemental_array(const LaplacianModes& modes, const std::array<int, 3>& momentum) {
  const auto numbers = in_call(modes.lattice(), [&] { return baryon_elementals(modes, momentum); });
  const auto count = static_cast<std::size_t>(modes.count());
  return numpy_of(numbers, {slices_of(modes), count, count, count});
}

}  // namespace

void bind_distillation(nb::module_& module) {
  module.def("perambulator", &perambulator_array, "solver"_a, "modes"_a, "t"_a,
             nb::sig("def perambulator(solver: Solver, modes: LaplacianModes, t: int) -> "
                     "numpy.typing.NDArray"),
             "The perambulator tau(t', t)_{s i, s' j} = sum_x v_i(x, t')^dagger [M^-1 v_j(t)\n"
             "e_s']_s (x, t') from time slice t, as an array [t'][s][s'][i][j], t' counted from\n"
             "the first slice of the lattice; s and i are the spin and mode of the sink. Takes 4\n"
             "solves for each mode. plaq.distillation contracts it. Raises NotConverged.\n"
             "Collective; the same bits on any process grid.");
  module.def(
      "stochastic_perambulator", &stochastic_array, "solver"_a, "modes"_a, "t"_a, "vector"_a = 0,
      "noise"_a = "z4", "seed"_a = 1, "mode_dilution"_a = 0, "spin_dilution"_a = true,
      nb::sig("def stochastic_perambulator(solver: Solver, modes: LaplacianModes, t: int, vector: int = 0, "
              "noise: str = 'z4', seed: int = 1, mode_dilution: int = 0, spin_dilution: bool = True) -> "
              "numpy.typing.NDArray"),
      "An estimate of the perambulator from time slice t by a noise vector in the space\n"
      "of spins and modes (stochastic LapH), as an array [t'][s][s'][i][j]. Its average over\n"
      "vectors is the perambulator; the quark lines of a correlator need different vectors.\n"
      "Takes a solve for each part of the noise.\n\n"
      "noise: \"z2\", \"z4\", \"u1\", \"z3\" or \"normal\"; give each gauge field a seed of its\n"
      "own. mode_dilution: modes with one number modulo this are together, 0: each is a part.\n"
      "spin_dilution: each spin is a part. Raises NotConverged. Collective; the same bits on\n"
      "any process grid.");
  module.def(
      "generalised_perambulators", &lines_with_currents, "solver"_a, "modes"_a, "t"_a, "sink_time"_a,
      "operators"_a = std::vector<std::string>{"1"}, "momenta"_a = std::vector<std::array<int, 3>>{{0, 0, 0}},
      "gauge"_a = nb::none(),
      nb::sig("def generalised_perambulators(solver: Solver, modes: LaplacianModes, t: int, sink_time: int, "
              "operators: Sequence[str] = ('1',), momenta: Sequence[Sequence[int]] = ((0, 0, 0),), gauge: "
              "GaugeField | None = None) -> tuple[numpy.typing.NDArray, numpy.typing.NDArray]"),
      "Quark lines with currents qbar Gamma D q of any Gamma, for three-point functions:\n"
      "G(t)_{a b, s i, s' j} = sum_x exp(-i p x) [v_i(t_f)^dagger M^-1]_{s a} [D M^-1 v_j(t_i)]_{b\n"
      "s'} (x, t) between the source on slice t_i and the sink on t_f, sink_time slices behind\n"
      "it. Returns the perambulator from t_i, as perambulator() does, and G as an array\n"
      "[operator][momentum][t][a][b][s][s'][i][j], t from the source to the sink.\n"
      "plaq.distillation contracts them. Takes 8 solves for each mode, for all currents\n"
      "together, and memory for 4 quark fields for each mode.\n\n"
      "operators: D, \"1\" or words of derivatives such as \"x\" and \"xy\". momenta: integers n\n"
      "of 2 pi n / L. gauge: links of the derivatives; None: those of the action. Raises\n"
      "NotConverged. Collective; the same bits on any process grid.");
  module.def(
      "meson_elementals", &meson_elemental_array, "modes"_a, "momentum"_a = std::array<int, 3>{0, 0, 0},
      "derivative"_a = "", "gauge"_a = nb::none(),
      nb::sig("def meson_elementals(modes: LaplacianModes, momentum: Sequence[int] = (0, 0, 0), derivative: "
              "str = '', gauge: GaugeField | None = None) -> numpy.typing.NDArray"),
      "Operators of mesons between modes, phi(t)_ij = sum_x exp(-i p x) v_i^dagger D v_j,\n"
      "as an array [t][i][j], x from the origin of the lattice.\n\n"
      "momentum: integers n of 2 pi n / L. derivative: the word of D by directions, \"x\",\n"
      "\"xy\" for D_x D_y, up to three; empty for D = 1. gauge: the gauge field of the\n"
      "derivatives, smeared as that of the modes. Collective; the same bits on any process\n"
      "grid.");
  module.def("baryon_elementals", &baryon_elemental_array, "modes"_a,
             "momentum"_a = std::array<int, 3>{0, 0, 0},
             nb::sig("def baryon_elementals(modes: LaplacianModes, momentum: Sequence[int] = (0, 0, 0)) -> "
                     "numpy.typing.NDArray"),
             "Operators of baryons between modes, B(t)_ijk = sum_x exp(-i p x) eps_abc v_i^a v_j^b\n"
             "v_k^c, as an array [t][i][j][k]. Collective; the same bits on any process grid.");
}

}  // namespace plaq::python

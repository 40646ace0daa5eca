#include "python/bindings/bindings.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "core/system/error.hpp"
#include "plaq/low_mode_propagators.hpp"
#include "plaq/low_modes.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/gamma.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/solver_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

const settings::Schema& low_modes_schema() {
  using namespace settings;
  static const Schema schema{
      "low_modes",
      "Low modes of a Dirac operator.",
      {action_table(MassKeys::one, all_discretisations()),
       action_smearing_table(),
       {"eigenvectors", "The modes.", eigenvector_keys()}},
      joined<Rule>({action_rules(MassKeys::one, all_discretisations()),
                    {action_smearing_rule()},
                    {preconditioning_rule("eigenvectors"), eigenvector_rule("eigenvectors")}})};
  return schema;
}

namespace {

using Path = std::filesystem::path;

LowModes found_modes(const DiracPtr& dirac, const nb::kwargs& keys) {
  const settings::Settings read = Keywords(dirac->keys)
                                      .add(low_modes_schema(), {"eigenvectors"}, keys)
                                      .read(low_modes_schema(), "low_modes()");
  return in_call(dirac->m.lattice(), [&] {
    return low_modes(dirac->m, read.get<EigenvectorSettings>(), read.get<SolverSettings>().preconditioning);
  });
}

SpinorField mode_of(const LowModes& modes, int i) {
  const int at = i < 0 ? i + modes.count() : i;
  if (at < 0 || at >= modes.count())
    throw nb::index_error(fmt::format("there are modes 0 to {}, not {}", modes.count() - 1, i).c_str());
  return in_call(modes.lattice(), [&] { return modes.mode(at); });
}

void write_modes(const LowModes& modes, const Path& path, const std::string& precision, bool overwrite) {
  if (precision != "single" && precision != "half")
    throw Error(ErrorKind::usage, fmt::format("precision \"{}\" is none of single, half", precision));
  const Precision stored = precision == "half" ? Precision::half_precision : Precision::single_precision;
  in_call(modes.lattice(), [&] {
    write_low_modes(modes, path.string(), {stored, overwrite});
    return 0;
  });
}

nb::object array_of(const std::vector<double>& numbers) { return numpy_of(numbers, {numbers.size()}); }

// Low-mode propagators, and the operator that they are of.
struct LowPropagators {
  DiracPtr dirac;
  LowModePropagators low;
};

LowPropagators made_propagators(const DiracPtr& dirac, const LowModes& modes) {
  return {dirac, in_call(dirac->m.lattice(), [&] { return LowModePropagators(dirac->m, modes); })};
}

nb::object meson_of(const LowPropagators& self, nb::handle channel, nb::handle momentum) {
  const Momenta momenta(momentum);
  const Lattice& lattice = self.dirac->m.lattice();
  if (nb::isinstance<nb::str>(channel)) {
    const auto name = nb::cast<std::string>(channel);
    return array_of_momenta(in_call(lattice, [&] { return self.low.meson(name, momenta.all); }), momenta);
  }
  constexpr const char* expected = "a name, or the matrices (sink, source)";
  const auto pair = argument_as<std::vector<SpinMatrix>>(channel, "channel", expected);
  if (pair.size() != 2)
    throw Error(ErrorKind::usage, fmt::format("argument 'channel': expected {}", expected));
  const auto spins = structures_of(pair[0], pair[1]);
  return array_of_momenta(in_call(lattice, [&] { return self.low.meson(spins, momenta.all); }), momenta);
}

void bind_low_mode_propagators(nb::module_& module) {
  nb::class_<LowPropagators> low(
      module, "LowModePropagators",
      "The part S_low of quark propagators in low modes, of Wilson and clover quarks, for\n"
      "low-mode averaging: mesons of S_low from all sources, and the rest from some.\n\n"
      "    low = plaq.LowModePropagators(dirac, modes)\n"
      "    C = low.meson() + mean over sources of [meson(solver(source)) - meson(low(source))]\n\n"
      "has no bias if the sources are at random sites.");
  low.def(
         "__init__",
         [](LowPropagators* self, const DiracPtr& dirac, const LowModes& modes) {
           new (self) LowPropagators(made_propagators(dirac, modes));
         },
         "dirac"_a, "modes"_a,
         "modes: low_modes() of this operator, or read from a file. They may be approximate.\n"
         "Takes two spinors in double precision a mode. Collective.")
      .def(
          "__call__",
          [](const LowPropagators& self, const SpinorField& source) {
            return in_call(source, [&] { return self.low(source); });
          },
          "source"_a,
          "S_low of each column of the source: what Solver.approximate(source, modes=True)\n"
          "gives, but for a term on the source's own sites where these are odd. Collective.")
      .def("meson", &meson_of, "channel"_a = "pion", "momentum"_a = nb::make_tuple(0, 0, 0),
           nb::sig("def meson(self, channel: str | Sequence[GammaMatrix] = 'pion', momentum: Sequence[int] | "
                   "Sequence[Sequence[int]] = (0, 0, 0)) -> numpy.typing.NDArray"),
           "The correlator C(p, t) of a meson of S_low as of meson(), averaged over all sites of\n"
           "the source: [t], or [p][t] for a list of momenta. Time grows with the square of the\n"
           "number of modes. Collective; the same bits on any process grid.")
      .def_ro("dirac", &LowPropagators::dirac, "The operator M.")
      .def("__len__", [](const LowPropagators& self) { return self.low.count(); })
      .def("__repr__", [](const LowPropagators& self) {
        return fmt::format("plaq.LowModePropagators({} modes)", self.low.count());
      });
  def_own_copies(low);
  refuse_pickle(low, "low-mode propagators are in the memory of their process: make them in each process");
}

}  // namespace

void bind_low_modes(nb::module_& module) {
  nb::class_<LowModes> modes(module, "LowModes",
                             "The lowest eigenvectors of S^dagger S, or of S itself for staggered\n"
                             "quarks, where S is the operator on the even sites. modes[i] is a\n"
                             "QuarkField, 0 on odd sites.");
  modes.def("__len__", &LowModes::count)
      .def("__getitem__", &mode_of, "i"_a)
      .def_prop_ro(
          "values", [](const LowModes& m) { return array_of(m.values()); }, "Eigenvalues, ascending.")
      .def_prop_ro(
          "bounds", [](const LowModes& m) { return array_of(m.bounds()); },
          "|A v - value v| of modes with norm 1, before they were stored.")
      .def_prop_ro("applications", &LowModes::applications,
                   "How often the search applied the operator; 0 for modes from a file.")
      .def_prop_ro(
          "lattice", [](const LowModes& m) { return m.lattice(); }, "The Lattice of the modes.")
      .def("write", &write_modes, "path"_a, "precision"_a = "single", "overwrite"_a = false,
           "Writes a file that deflates solves: Solver(dirac, deflation=DIRECTORY) reads\n"
           "DIRECTORY/FIELD.eig.lime, FIELD being the name of the gauge field's file. precision:\n"
           "\"single\" or \"half\". Collective.")
      .def("__repr__", [](const LowModes& m) { return fmt::format("plaq.LowModes({} modes)", m.count()); });
  def_own_copies(modes);
  refuse_pickle(modes, "low modes are in the memory of their process: write them to a file");
  module.def("low_modes", &found_modes, "dirac"_a, "keys"_a,
             "The lowest modes of a Dirac operator as eigenvectors jobs find them, by the\n"
             "keys of [eigenvectors]: modes, tolerance, preconditioning, ... Raises\n"
             "NotConverged. Collective.");
  module.def(
      "read_low_modes",
      [](const Path& path, const Lattice& lattice) {
        return in_call(lattice, [&] { return read_low_modes(path.string(), lattice); });
      },
      "path"_a, "lattice"_a, "Reads low modes of any operator from a file. Collective.");
  bind_low_mode_propagators(module);
}

}  // namespace plaq::python

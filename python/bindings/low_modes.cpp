#include "python/bindings/bindings.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "core/system/error.hpp"
#include "plaq/low_modes.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"
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
}

}  // namespace plaq::python

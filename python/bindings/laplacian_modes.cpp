#include "python/bindings/bindings.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "core/system/error.hpp"
#include "plaq/laplacian_modes.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/quark/laplacian_mode_keys.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

const settings::Schema& laplacian_modes_schema() {
  static const settings::Schema schema{"laplacian_modes",
                                       "Modes of the Laplacian in space.",
                                       {{"laplacian_modes", "The modes.", settings::laplacian_mode_keys()}},
                                       {settings::laplacian_mode_rule("laplacian_modes")}};
  return schema;
}

namespace {

using ModesPath = std::filesystem::path;

LaplacianModes found_laplacian_modes(const GaugeField& gauge, const nb::kwargs& keys) {
  const settings::Settings read = Keywords()
                                      .add(laplacian_modes_schema(), {"laplacian_modes"}, keys)
                                      .read(laplacian_modes_schema(), "laplacian_modes()");
  return in_call(gauge.lattice(), [&] { return laplacian_modes(gauge, read.get<LaplacianModeSettings>()); });
}

SpinorField laplacian_mode_of(const LaplacianModes& modes, int i) {
  const int at = i < 0 ? i + modes.count() : i;
  if (at < 0 || at >= modes.count())
    throw nb::index_error(fmt::format("there are modes 0 to {}, not {}", modes.count() - 1, i).c_str());
  return in_call(modes.lattice(), [&] { return modes.mode(at); });
}

void write_modes_of_laplacian(const LaplacianModes& modes, const ModesPath& path,
                              const std::string& precision, bool overwrite) {
  if (precision != "single" && precision != "half")
    throw Error(ErrorKind::usage, fmt::format("precision \"{}\" is none of single, half", precision));
  const Precision stored = precision == "half" ? Precision::half_precision : Precision::single_precision;
  in_call(modes.lattice(), [&] {
    write_laplacian_modes(modes, path.string(), {stored, overwrite});
    return 0;
  });
}

// [t][mode]
nb::object of_all_slices(const LaplacianModes& modes, std::vector<double> (LaplacianModes::*of)(int) const) {
  const int slices = modes.lattice().extents()[3];
  std::vector<double> all;
  for (int t = 0; t < slices; ++t) {
    const auto one = (modes.*of)(t);
    all.insert(all.end(), one.begin(), one.end());
  }
  return numpy_of(all, {static_cast<std::size_t>(slices), static_cast<std::size_t>(modes.count())});
}

}  // namespace

void bind_laplacian_modes(nb::module_& module) {
  nb::class_<LaplacianModes> modes(
      module, "LaplacianModes",
      "The lowest eigenvectors of minus the covariant Laplacian in space on each time\n"
      "slice. modes[i] is a QuarkField of one color vector: mode i of every slice.");
  modes.def("__len__", &LaplacianModes::count)
      .def("__getitem__", &laplacian_mode_of, "i"_a)
      .def_prop_ro(
          "values", [](const LaplacianModes& m) { return of_all_slices(m, &LaplacianModes::values); },
          "Eigenvalues [t][mode], ascending on each slice.")
      .def_prop_ro(
          "bounds", [](const LaplacianModes& m) { return of_all_slices(m, &LaplacianModes::bounds); },
          "|A v - value v| of modes with norm 1, before they were stored; [t][mode].")
      .def_prop_ro("applications", &LaplacianModes::applications,
                   "How often the search applied the Laplacian to a block; 0 for modes from a file.")
      .def_prop_ro(
          "lattice", [](const LaplacianModes& m) { return m.lattice(); }, "The Lattice of the modes.")
      .def("write", &write_modes_of_laplacian, "path"_a, "precision"_a = "single", "overwrite"_a = false,
           "Writes a file as laplacian_modes jobs do. precision: \"single\" or \"half\".\n"
           "Collective.")
      .def("__repr__",
           [](const LaplacianModes& m) { return fmt::format("plaq.LaplacianModes({} modes)", m.count()); });
  def_own_copies(modes);
  refuse_pickle(modes, "modes are in the memory of their process: write them to a file");
  module.def("laplacian_modes", &found_laplacian_modes, "gauge"_a, "keys"_a,
             "The lowest modes of minus the covariant Laplacian in space on each time slice,\n"
             "as laplacian_modes jobs find them, by the keys of [laplacian_modes]: modes,\n"
             "tolerance, boundary, ... Smear the links first: gauge.smear(...). Raises\n"
             "NotConverged. Collective.");
  module.def(
      "read_laplacian_modes",
      [](const ModesPath& path, const Lattice& lattice) {
        return in_call(lattice, [&] { return read_laplacian_modes(path.string(), lattice); });
      },
      "path"_a, "lattice"_a, "Reads modes of the Laplacian from a file. Collective.");
}

}  // namespace plaq::python

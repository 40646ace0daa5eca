// Gauge fixing and gauge transformations.
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <vector>

#include "core/system/error.hpp"
#include "plaq/gauge_fixing.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

const settings::Schema& fixing_schema() {
  static const settings::Schema schema{"fix", "Gauge fixing.", settings::fixing_tables(),
                                       settings::fixing_rules()};
  return schema;
}

// "annealing", ...
constexpr const char* stage_names[] = {"annealing", "stochastic", "overrelaxation"};

FixedGauge fix_by_keys(const GaugeField& gauge, const std::string& kind, nb::handle at_check,
                       const nb::kwargs& keys) {
  expect_function(at_check, "at_check");
  nb::dict fixing;
  fixing["gauge"] = kind;
  const auto all = Keywords()
                       .add("fixing", fixing)
                       .add(fixing_schema(), {"fixing", "annealing", "stochastic", "overrelaxation"}, keys)
                       .read(fixing_schema(), "GaugeField.fix()");
  const auto copies = all.get<settings::CopyKeys>();
  if (copies.groups > 1)
    throw Error(ErrorKind::usage,
                "fix: groups is for gaugefix jobs, here all ranks take each copy; leave it out");
  const Lattice& lattice = gauge.lattice();
  const Call call = call_on(gauge);
  const StopRequest stop;
  return fix_gauge(gauge, all.get<FixingSettings>(), {copies.copies, copies.at_once},
                   [&](const std::vector<FixingCheck>& checks) {
                     if (const int signal = stop.anywhere(python_lattice(lattice).ranks()); signal != 0)
                       throw_stopped(signal, "nothing is kept");
                     if (at_check.is_none()) return;
                     const nb::gil_scoped_acquire held;
                     for (const FixingCheck& check : checks) at_check(check);
                   });
}

}  // namespace

void bind_gauge_fixing(nb::module_& module, GaugeClass& gauge) {
  nb::class_<ColorMatrixField, LatticeField> transformation(module, "GaugeTransformation",
                                                            "g(x) of SU(3), in double precision.");
  def_copies(
      transformation,
      [](const ColorMatrixField& g) { return in_call(g, [&] { return ColorMatrixField(g); }); },
      "An independent copy of the field.");
  refuse_pickle(
      transformation,
      "a GaugeTransformation is on the ranks and in the memory of its process: write it by its write() and "
      "read it by plaq.read_transformation(), or pickle its array()");
  transformation.def(
      "write",
      [](const ColorMatrixField& g, const std::filesystem::path& path, bool overwrite) {
        const Call call = call_on(g);
        write_transformation(g, path.string(), overwrite);
      },
      "path"_a, "overwrite"_a = false, "Writes a SciDAC file. Collective.");

  nb::class_<FixingCheck>(module, "FixingCheck", "The state of a gauge copy when its theta is checked.")
      .def_ro("copy", &FixingCheck::copy, "Number of the copy, from 0 on.")
      .def_prop_ro(
          "stage", [](const FixingCheck& c) { return stage_names[static_cast<std::size_t>(c.point.stage)]; },
          "\"annealing\", \"stochastic\" or \"overrelaxation\".")
      .def_prop_ro(
          "sweeps", [](const FixingCheck& c) { return static_cast<std::int64_t>(c.point.sweeps); },
          "Sweeps of all kinds so far.")
      .def_prop_ro(
          "functional", [](const FixingCheck& c) { return c.point.functional; },
          "Gauge functional, in the precision of the sweeps.")
      .def_prop_ro(
          "theta", [](const FixingCheck& c) { return c.point.theta; },
          "Gauge precision, in Coulomb gauge that of the worst time slice.")
      .def("__repr__", [](const FixingCheck& c) {
        return fmt::format("plaq.FixingCheck(copy {}, {} sweeps, functional {}, theta {:.2e})", c.copy,
                           c.point.sweeps, c.point.functional, c.point.theta);
      });

  nb::class_<FixedGauge> fixed(module, "FixedGauge", "A gauge field in a fixed gauge.");
  def_copies(
      fixed, [](const FixedGauge& f) { return in_call(f.gauge, [&] { return FixedGauge(f); }); },
      "An independent copy.");
  refuse_pickle(fixed,
                "a FixedGauge has fields, which belong to their process: write its gauge and transformation");
  fixed.def_ro("gauge", &FixedGauge::gauge, "The fixed gauge field of the best copy.")
      .def_ro("transformation", &FixedGauge::transformation, "The gauge transformation of the best copy.")
      .def_prop_ro(
          "functional", [](const FixedGauge& f) { return f.outcome.functional; },
          "Gauge functional of the best copy.")
      .def_prop_ro(
          "theta", [](const FixedGauge& f) { return f.outcome.theta; }, "Theta of the best copy.")
      .def_prop_ro(
          "sweeps", [](const FixedGauge& f) { return f.outcome.sweeps(); },
          "Number of sweeps of the best copy.")
      .def_prop_ro(
          "copy", [](const FixedGauge& f) { return f.outcome.copy; }, "Number of the best copy.")
      .def_prop_ro(
          "functionals",
          [](const FixedGauge& f) {
            std::vector<double> all;
            for (const CopyOutcome& one : f.copies) all.push_back(one.functional);
            return numpy_of(all, {all.size()});
          },
          "Gauge functionals of all copies.");

  gauge
      .def("fix", &fix_by_keys, "gauge"_a, "at_check"_a = nb::none(), "keys"_a,
           nb::sig(
               "def fix(self, gauge: str, at_check: Callable[[FixingCheck], object] | None = None, **keys) "
               "-> FixedGauge"),
           "Fixes the gauge \"landau\", \"coulomb\" or \"maximally_abelian\" and returns the\n"
           "best copy. Keys are those of gaugefix jobs: theta, copies, seed, start,\n"
           "annealing = {\"steps\": 100}, ... Collective.\n\n"
           "at_check(check) is called at each check of theta of each copy. The call is\n"
           "collective, and an exception in it ends the fixing.")
      .def(
          "transformed",
          [](const GaugeField& u, const ColorMatrixField& g) {
            expect_same_lattice(u, g);
            const Call call = call_on(u);
            return transformed(u, g);
          },
          "g"_a, "g(x) U_mu(x) g(x+mu)^dagger.");
  module.def(
      "read_transformation",
      [](const std::filesystem::path& path, const Lattice& lattice) {
        return in_call(lattice, [&] { return read_transformation(path.string(), lattice); });
      },
      "path"_a, "lattice"_a, "A gauge transformation from a SciDAC file. Collective.");
}

}  // namespace plaq::python

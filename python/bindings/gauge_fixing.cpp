// Gauge fixing and gauge transformations.
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <filesystem>

#include "comms/grid/first_rank.hpp"
#include "core/system/error.hpp"
#include "gaugefix/run/fixing_run.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/transformation/transformation_file.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/gauge/fixing_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

struct FixedGauge {
  GaugeField gauge;
  Transformation transformation;
  CopyOutcome outcome;              // of the best copy
  std::vector<CopyOutcome> copies;  // all
};

const settings::Schema& fixing_schema() {
  static const settings::Schema schema{"fix", "Gauge fixing.", settings::fixing_tables(),
                                       settings::fixing_rules()};
  return schema;
}

FixedGauge fix_gauge(const GaugeField& gauge, const std::string& kind, const nb::kwargs& keys) {
  nb::dict fixing;
  fixing["gauge"] = kind;
  const auto job = Keywords()
                       .add("fixing", fixing)
                       .add(fixing_schema(), {"fixing", "annealing", "stochastic", "overrelaxation"}, keys)
                       .read(fixing_schema(), "GaugeField.fix()");
  const auto settings = job.get<FixingSettings>();
  const auto of_copies = job.get<settings::CopyKeys>();
  if (of_copies.groups > 1)
    throw Error(ErrorKind::usage, "fix: groups of ranks are of gaugefix jobs; here all ranks take each copy");
  const Lattice& lattice = *gauge.lattice;
  const int together =
      settings::copies_at_once(of_copies, lattice.geometry()->local_volume(), lattice.location());
  const Call call = gauge.call();
  const StopRequest stop;
  FixingRun run(lattice.grid(), gauge.field, settings, lattice.queue(), lattice.context().transport, [&] {
    if (const int signal = stop.anywhere(lattice.ranks()); signal != 0)
      throw_stopped(signal, "nothing is kept");
  });
  FixedGauge fixed;
  for (int first = 0; first < of_copies.copies; first += together) {
    const auto outcomes = run.run(first, std::min(together, of_copies.copies - first));
    fixed.copies.insert(fixed.copies.end(), outcomes.begin(), outcomes.end());
  }
  const FixingRun::Best& best = run.best();
  if (best.copy < 0)
    throw Error(ErrorKind::not_converged,
                fmt::format("no gauge copy has reached theta = {:.1e}; more max_sweeps or restarts, or "
                            "annealing, may help",
                            settings.theta));
  for (const CopyOutcome& one : fixed.copies)
    if (one.copy == best.copy) fixed.outcome = one;
  fixed.transformation = {{gauge.lattice, best.g}};
  fixed.gauge = gauge_of(gauge.lattice, gauge.field);
  transform_gauge(lattice.grid(), fixed.gauge.field, best.g, lattice.queue(), lattice.context().transport);
  lattice.queue().synchronize();
  return fixed;
}

GaugeField transformed(const GaugeField& gauge, const Transformation& g) {
  expect_same_lattice(gauge, g);
  const Call call = gauge.call();
  GaugeField made = gauge_of(gauge.lattice, gauge.field);
  transform_gauge(gauge.lattice->grid(), made.field, g.field, gauge.queue(),
                  gauge.lattice->context().transport);
  gauge.queue().synchronize();
  return made;
}

Transformation read_transformation_file(const std::filesystem::path& path, const LatticePtr& lattice) {
  const Call call = lattice->call();
  Field host(lattice->geometry(), gauge_frame_spec(Precision::double_precision, Location::host));
  read_transformation(path.string(), lattice->grid(), host);
  Transformation g{{lattice, Field(lattice->geometry(),
                                   gauge_frame_spec(Precision::double_precision, lattice->location()))}};
  copy(g.field, host);
  return g;
}

void write_transformation_file(const Transformation& g, const std::filesystem::path& file, bool overwrite) {
  const std::string path = file.string();
  const Call call = g.call();
  on_first_rank([&] { check_output(path, overwrite); });
  Field host(g.lattice->geometry(), gauge_frame_spec(Precision::double_precision, Location::host));
  copy(host, g.field);
  write_transformation(path, g.lattice->grid(), host, {});
}

}  // namespace

Transformation copy_of(const Transformation& g) {
  const Call call = g.call();
  Transformation made{{g.lattice, like(g.field)}};
  copy(made.field, g.field);
  return made;
}

void bind_gauge_fixing(nb::module_& module, GaugeClass& gauge) {
  nb::class_<Transformation, LatticeField> transformation(module, "GaugeTransformation",
                                                          "g(x) of SU(3), in double precision.");
  def_copies(
      transformation, [](const Transformation& g) { return copy_of(g); },
      "A field of its own with the same numbers.");
  refuse_pickle(
      transformation,
      "a GaugeTransformation is on the ranks and in the memory of its process: write it by its write() and "
      "read it by plaq.read_transformation(), or pickle its array()");
  transformation.def("write", &write_transformation_file, "path"_a, "overwrite"_a = false,
                     "Writes a SciDAC file. Collective.");

  nb::class_<FixedGauge> fixed(module, "FixedGauge", "A gauge field in a fixed gauge.");
  def_copies(
      fixed,
      [](const FixedGauge& f) {
        return FixedGauge{copy_of(f.gauge), copy_of(f.transformation), f.outcome, f.copies};
      },
      "The same with fields of its own.");
  refuse_pickle(fixed,
                "a FixedGauge has fields, which belong to their process: write its gauge and transformation");
  fixed.def_ro("gauge", &FixedGauge::gauge, "The field in that gauge.")
      .def_ro("transformation", &FixedGauge::transformation, "What took it there.")
      .def_prop_ro(
          "functional", [](const FixedGauge& f) { return f.outcome.functional; },
          "Of the gauge condition, that is at a maximum.")
      .def_prop_ro(
          "theta", [](const FixedGauge& f) { return f.outcome.theta; }, "The gauge precision reached.")
      .def_prop_ro(
          "sweeps", [](const FixedGauge& f) { return f.outcome.sweeps(); }, "That the best copy took.")
      .def_prop_ro(
          "copy", [](const FixedGauge& f) { return f.outcome.copy; }, "The best one.")
      .def_prop_ro(
          "functionals",
          [](const FixedGauge& f) {
            std::vector<double> all;
            for (const CopyOutcome& one : f.copies) all.push_back(one.functional);
            return numpy_of(all, {all.size()});
          },
          "Of all copies.");

  gauge
      .def("fix", &fix_gauge, "gauge"_a, "keys"_a,
           "Landau, Coulomb or maximally Abelian gauge: \"landau\", \"coulomb\",\n"
           "\"maximally_abelian\". Keys as in gaugefix jobs: theta, copies, seed, start,\n"
           "annealing = {\"steps\": 100}, ... The best copy is taken.")
      .def("transformed", &transformed, "g"_a, "g(x) U_mu(x) g(x+mu)^dagger.");
  module.def("read_transformation", &read_transformation_file, "path"_a, "lattice"_a,
             "A gauge transformation from a SciDAC file. Collective.");
}

}  // namespace plaq::python

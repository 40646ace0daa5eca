#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>

#include "comms/grid/first_rank.hpp"
#include "core/system/error.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/loaded_gauge.hpp"
#include "kernels/gauge/flow_scales.hpp"
#include "kernels/gauge/update.hpp"
#include "kernels/gauge/wilson_flow.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/gauge/flow_table.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

using Path = std::filesystem::path;

GaugeField read_gauge(const Path& file, const LatticePtr& lattice, bool antiperiodic,
                      const std::vector<std::string>& accept_checksums) {
  const std::string path = file.string();
  const Call call = lattice->call();
  const LoadedGauge loaded = load_gauge(lattice->context(), path, {antiperiodic, accept_checksums});
  GaugeField gauge = gauge_of(lattice, loaded.field);
  gauge.file = path;
  const GaugeFileInfo& info = loaded.report.info;
  gauge.read = {std::string(name_of(info.format)), info.checksum.value_or(loaded.report.checksum).text(),
                gauge.field.version()};
  return gauge;
}

Extents gauge_extents(const Path& path) { return inspect_gauge_file(path.string()).extents; }

GaugeFileFormat format_named(const std::string& name) {
  std::string known;
  for (const GaugeFormat* format : gauge_formats()) {
    if (short_name(format->format) == name) return format->format;
    known += (known.empty() ? "" : ", ") + std::string(short_name(format->format));
  }
  throw Error(ErrorKind::usage, fmt::format("format \"{}\" is none of {}", name, known));
}

std::string write_gauge(const GaugeField& gauge, const Path& file, const std::string& format,
                        const std::string& precision, const std::string& lfn, bool overwrite) {
  const std::string path = file.string();
  GaugeWriteOptions options;
  options.metadata.ildg_lfn = lfn;
  options.format = format_named(format);
  if (!precision.empty())
    options.precision = is_single(precision) ? Precision::single_precision : Precision::double_precision;
  const Lattice& lattice = *gauge.lattice;
  const Call call = gauge.call();
  on_first_rank([&] { check_output(path, overwrite); });
  const GaugeObservables o = measure_gauge(lattice.grid(), with_halo(gauge), lattice.queue());
  Field host(lattice.geometry(), gauge_spec(Precision::double_precision, Location::host));
  copy(host, gauge.field);
  return write_gauge_file(path, lattice.grid(), host, options, o.plaquette.all, o.link_trace).text();
}

GaugeField unit_gauge(const LatticePtr& lattice) {
  const Call call = lattice->call();
  Field links(lattice->geometry(), gauge_spec(Precision::double_precision, lattice->location()));
  cold_start(links, lattice->queue());
  lattice->queue().synchronize();
  return {{lattice, links}};
}

GaugeField random_gauge(const LatticePtr& lattice, std::uint64_t seed) {
  const Call call = lattice->call();
  Field links(lattice->geometry(), gauge_spec(Precision::double_precision, lattice->location()));
  hot_start(links, seed, lattice->queue());
  lattice->queue().synchronize();
  return {{lattice, links}};
}

GaugeObservables observables(const GaugeField& gauge) {
  const Call call = gauge.call();
  return measure_gauge(gauge.lattice->grid(), with_halo(gauge), gauge.queue());
}

CloverObservables clover(const GaugeField& gauge) {
  const Call call = gauge.call();
  return measure_clover(gauge.lattice->grid(), with_halo(gauge), gauge.queue());
}

const settings::Schema& smearing_schema() {
  static const settings::Schema schema{"smear",
                                       "Smearing of links.",
                                       {settings::link_smearing_table("of a gauge field")},
                                       {settings::link_smearing_rule()}};
  return schema;
}

GaugeField smeared(const GaugeField& gauge, const std::string& type, const nb::kwargs& keys) {
  nb::dict all;
  all["type"] = type;
  for (const auto& [name, value] : keys) all[name] = value;
  const auto job =
      Keywords().add(smearing_schema(), {"link_smearing"}, all).read(smearing_schema(), "GaugeField.smear()");
  const Call call = gauge.call();
  Field links = with_halo(gauge);
  smear_links(gauge.lattice->context(), links, job.get<LinkSmearing>());
  return gauge_of(gauge.lattice, links);
}

struct Flow {
  GaugeField gauge;
  std::vector<FlowPoint> points;

  nb::object column(double FlowPoint::*member) const {
    std::vector<double> numbers;
    for (const FlowPoint& point : points) numbers.push_back(point.*member);
    return numpy_of(numbers, {numbers.size()});
  }
  std::optional<double> scale(bool w0) const {
    constexpr double target = 0.3;
    std::vector<double> t, energy;
    for (const FlowPoint& point : points) t.push_back(point.t), energy.push_back(point.clover_energy);
    return w0 ? find_w0(t, energy, target) : find_t0(t, energy, target);
  }
};

const settings::Schema& flow_schema() {
  static const settings::Schema schema{
      "flow", "The Wilson flow.", {settings::flow_table()}, {settings::flow_rule()}};
  return schema;
}

Flow wilson_flow(const GaugeField& gauge, nb::handle t_max, nb::handle step, nb::handle measure_every) {
  nb::dict keys;
  keys["t_max"] = t_max;
  keys["step"] = step;
  keys["measure_every"] = measure_every;
  const auto run = Keywords().add("flow", keys).read(flow_schema(), "GaugeField.flow()").get<FlowRun>();
  const Call call = gauge.call();
  Field links = with_halo(gauge);
  WilsonFlow flow(gauge.lattice->grid(), links, gauge.lattice->context().transport);
  std::vector<FlowPoint> points = flow.run(links, run, gauge.queue());
  return {gauge_of(gauge.lattice, links), std::move(points)};
}

}  // namespace

GaugeField copy_of(const GaugeField& u) {
  const Call call = u.call();
  GaugeField made = gauge_of(u.lattice, u.field);
  made.file = u.file;
  if (const auto* identity = u.identity())
    made.read = {identity->format, identity->checksum, made.field.version()};
  return made;
}

GaugeClass bind_gauge(nb::module_& module) {
  GaugeClass gauge(module, "GaugeField",
                   "Links U_mu(x) of SU(3), in double precision.\n\n"
                   "array() is [mu][parity][t][z][y][x/2][row][column].");
  gauge
      .def_prop_ro(
          "file", [](const GaugeField& u) { return decoded(u.file); }, "That it was read from, or \"\".")
      .def_prop_ro(
          "plaquette", [](const GaugeField& u) { return observables(u).plaquette.all; },
          "Average of Re tr P / 3. Collective, as all of the following.")
      .def_prop_ro(
          "plaquettes",
          [](const GaugeField& u) {
            const PlaquetteAverages p = observables(u).plaquette;
            return std::array{p.all, p.spatial, p.temporal};
          },
          "Averages of Re tr P / 3: of all, in space, with time.")
      .def_prop_ro(
          "link_trace", [](const GaugeField& u) { return observables(u).link_trace; },
          "Average of Re tr U / 3.")
      .def_prop_ro(
          "polyakov_loop", [](const GaugeField& u) { return observables(u).polyakov_loop; },
          "Average over space of tr prod_t U_t / 3.")
      .def_prop_ro(
          "unitarity_violation", [](const GaugeField& u) { return observables(u).unitarity_violation; },
          "Largest |U U^dagger - 1| and |det U - 1|.")
      .def_prop_ro(
          "energy", [](const GaugeField& u) { return clover(u).energy; },
          "E = -(1/2) sum tr F F, average over sites, from clover leaves.")
      .def_prop_ro(
          "topological_charge", [](const GaugeField& u) { return clover(u).topological_charge; },
          "From clover leaves; flow first.")
      .def("smear", &smeared, "type"_a, "keys"_a,
           "Smeared links: \"ape\", \"stout\", \"hyp\" or \"flow\"; keys as in\n"
           "[link_smearing] of job files: steps, alpha, rho, alpha1, alpha2, alpha3,\n"
           "flow_step, spatial.")
      .def("flow", &wilson_flow, "t_max"_a, "step"_a = 0.02, "measure_every"_a = 5,
           nb::sig("def flow(self, t_max: float, step: float = 0.02, measure_every: int = 5) -> Flow"),
           "The Wilson flow from 0 to t_max, in units of a^2; measured every so many steps.")
      .def("write", &write_gauge, "path"_a, "format"_a = "ildg", "precision"_a = "", "lfn"_a = "",
           "overwrite"_a = false,
           "Writes \"nersc\", \"ildg\", \"scidac\", \"milc\", \"openqcd\" or\n"
           "\"ddalphaamg\"; returns the checksum. lfn: the logical name that an ILDG file\n"
           "states. An older file is replaced whole or not at all.")
      .def("__repr__", [](const GaugeField& u) {
        return "plaq.GaugeField(" + to_string(u.lattice->geometry()->global()) + ")";
      });

  def_copies(
      gauge, [](const GaugeField& u) { return copy_of(u); }, "A field of its own with the same links.");
  refuse_pickle(
      gauge,
      "a GaugeField is on the ranks and in the memory of its process: write it by GaugeField.write() and "
      "read it by plaq.read_gauge(), or pickle its array()");

  nb::class_<Flow> flow(module, "Flow", "A gauge field along the Wilson flow.");
  def_copies(
      flow,
      [](const Flow& f) {
        return Flow{copy_of(f.gauge), f.points};
      },
      "The same with a gauge field of its own.");
  refuse_pickle(
      flow, "a Flow has a GaugeField, which belongs to its process: pickle t, energy, topological_charge");
  flow.def_ro("gauge", &Flow::gauge, "The field at the end.")
      .def_prop_ro(
          "t", [](const Flow& f) { return f.column(&FlowPoint::t); }, "Flow times, in units of a^2.")
      .def_prop_ro(
          "energy", [](const Flow& f) { return f.column(&FlowPoint::clover_energy); },
          "E from clover leaves at each time.")
      .def_prop_ro(
          "plaquette_energy", [](const Flow& f) { return f.column(&FlowPoint::plaquette_energy); },
          "2 sum Re tr(1 - P) at each time, average over sites.")
      .def_prop_ro(
          "topological_charge", [](const Flow& f) { return f.column(&FlowPoint::topological_charge); },
          "From clover leaves at each time.")
      .def_prop_ro(
          "t0", [](const Flow& f) { return f.scale(false); },
          "t^2 E = 0.3; None where the flow does not reach it.")
      .def_prop_ro(
          "w0", [](const Flow& f) { return f.scale(true); },
          "t d/dt (t^2 E) = 0.3 at t = w0^2; None where the flow does not reach it.");

  module.def("read_gauge", &read_gauge, "path"_a, "lattice"_a, "antiperiodic"_a = false,
             "accept_checksums"_a = std::vector<std::string>(),
             "A gauge field from a file of any format that plaq knows: links, checksum,\n"
             "plaquette and link trace are checked. Collective.");
  module.def("gauge_extents", &gauge_extents, "path"_a, "Sites in x, y, z, t of the field in a file.");
  module.def("unit_gauge", &unit_gauge, "lattice"_a, "All links 1.");
  module.def("random_gauge", &random_gauge, "lattice"_a, "seed"_a,
             "Links at random in SU(3), the same on any process grid.");
  return gauge;
}

}  // namespace plaq::python

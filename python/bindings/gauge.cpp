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
#include <optional>

#include "comms/communicator/collective.hpp"
#include "plaq/gauge_observables.hpp"
#include "plaq/smearing.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/gauge/gauge_observable_tables.hpp"
#include "settings/gauge/link_smearing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

using Path = std::filesystem::path;

GaugeField read_gauge_file(const Path& file, const std::optional<Lattice>& given, bool antiperiodic,
                           const std::vector<std::string>& accept_checksums, nb::handle comm,
                           const std::string& location, const nb::kwargs& keys) {
  const std::string path = file.string();
  if (given && (!comm.is_none() || location != "auto" || keys.size() > 0))
    throw Error(
        ErrorKind::usage,
        "read_gauge(): a lattice is given, so leave out comm, location and keys, which make a new one");
  const Lattice lattice = given ? *given : make_lattice(comm, location, keys, [&] {
    return extents_from_first_rank([&] { return gauge_extents(path); });
  });
  return in_call(lattice, [&] { return read_gauge(path, lattice, {antiperiodic, accept_checksums}); });
}

std::string write_gauge_file(const GaugeField& gauge, const Path& file, const std::string& format,
                             const std::string& precision, const std::string& lfn, bool overwrite) {
  WriteGaugeSettings settings{.format = format, .lfn = lfn, .overwrite = overwrite};
  if (!precision.empty()) settings.precision = precision_named(precision);
  const Call call = call_on(gauge);
  return write_gauge(gauge, file.string(), settings);
}

// Binding of a function that measures a gauge field.
template <class Measure>
auto measured(const Measure& measure) {
  return [measure](const GaugeField& gauge) { return in_call(gauge, [&] { return measure(gauge); }); };
}

const settings::Schema& smearing_schema() {
  static const settings::Schema schema{"smear",
                                       "Smearing of links.",
                                       {settings::link_smearing_table("of a gauge field")},
                                       {settings::link_smearing_rule()}};
  return schema;
}

GaugeField smeared_by_keys(const GaugeField& gauge, const std::string& type, const nb::kwargs& keys) {
  nb::dict all;
  all["type"] = type;
  for (const auto& [name, value] : keys) all[name] = value;
  const auto settings =
      Keywords().add(smearing_schema(), {"link_smearing"}, all).read(smearing_schema(), "GaugeField.smear()");
  const Call call = call_on(gauge);
  return smeared(gauge, settings.get<LinkSmearing>());
}

nb::object column(const Flow& flow, double FlowPoint::*member) {
  std::vector<double> numbers;
  for (const FlowPoint& point : flow.points) numbers.push_back(point.*member);
  return numpy_of(numbers, {numbers.size()});
}

const settings::Schema& flow_schema() {
  static const settings::Schema schema{
      "flow", "The gradient flow.", {settings::flow_table()}, {settings::flow_rule()}};
  return schema;
}

Flow flow_to(const GaugeField& gauge, nb::handle t_max, nb::handle step, nb::handle measure_every,
             nb::handle at_point, nb::handle action, nb::handle tolerance) {
  expect_function(at_point, "at_point");
  nb::dict keys;
  keys["t_max"] = t_max;
  keys["step"] = step;
  keys["measure_every"] = measure_every;
  keys["action"] = action;
  if (!tolerance.is_none()) keys["tolerance"] = tolerance;
  const auto run = Keywords().add("flow", keys).read(flow_schema(), "GaugeField.flow()").get<FlowRun>();
  const Call call = call_on(gauge);
  if (at_point.is_none()) return wilson_flow(gauge, run);
  return wilson_flow(gauge, run, [&](const GaugeField& flowed, const FlowPoint& point) {
    const nb::gil_scoped_acquire held;
    at_point(flowed, point);
  });
}

}  // namespace

GaugeClass bind_gauge(nb::module_& module) {
  GaugeClass gauge(module, "GaugeField",
                   "Links U_mu(x) of SU(3), in double precision.\n\n"
                   "array() is [mu][parity][t][z][y][x/2][row][column].");
  gauge
      .def_prop_ro(
          "file", [](const GaugeField& u) { return decoded(u.path()); },
          "The file from which the field was read, or \"\".")
      .def_prop_ro("plaquette", measured(&plaquette),
                   "Average of Re tr P / 3. Collective, as all of the following.")
      .def_prop_ro("plaquettes", measured(&plaquettes),
                   "Averages of Re tr P / 3: all plaquettes, spatial ones, temporal ones.")
      .def_prop_ro("link_trace", measured(&link_trace), "Average of Re tr U / 3.")
      .def_prop_ro("polyakov_loop", measured(&polyakov_loop), "Average over space of tr prod_t U_t / 3.")
      .def_prop_ro("unitarity_violation", measured(&unitarity_violation),
                   "Largest |U U^dagger - 1| and |det U - 1|.")
      .def_prop_ro("energy", measured(&clover_energy),
                   "E = -(1/2) sum tr F F, average over sites, from clover leaves.")
      .def_prop_ro("topological_charge", measured(&topological_charge),
                   "Topological charge from clover leaves. Apply flow() before.")
      .def("smear", &smeared_by_keys, "type"_a, "keys"_a,
           "Returns smeared links. type: \"ape\", \"stout\", \"hyp\" or \"flow\". Keys are those\n"
           "of [link_smearing] in job files: steps, alpha, rho, alpha1, alpha2, alpha3,\n"
           "flow_step, spatial. Collective.")
      .def("flow", &flow_to, "t_max"_a, "step"_a = 0.02, "measure_every"_a = 5, "at_point"_a = nb::none(),
           "action"_a = "wilson", "tolerance"_a = nb::none(),
           nb::sig("def flow(self, t_max: float, step: float = 0.02, measure_every: int = 5, at_point: "
                   "Callable[[GaugeField, FlowPoint], object] | None = None, action: str = 'wilson', "
                   "tolerance: float | None = None) -> Flow"),
           "Integrates the gradient flow from 0 to t_max, in units of a^2, and measures after\n"
           "every measure_every steps. action: \"wilson\", \"symanzik\" or \"zeuthen\". With a\n"
           "tolerance the steps adapt their length, and the times of measurement stay.\n\n"
           "at_point(gauge, point) is called with the field at each measured point. The call\n"
           "is collective, and an exception in it ends the flow.")
      .def("write", &write_gauge_file, "path"_a, "format"_a = "ildg", "precision"_a = "", "lfn"_a = "",
           "overwrite"_a = false,
           "Writes the field in the format \"nersc\", \"ildg\", \"scidac\", \"milc\", \"openqcd\"\n"
           "or \"ddalphaamg\" and returns the checksum. lfn: the logical file name in an ILDG\n"
           "file. The file appears complete or not at all. Collective.")
      .def("__repr__",
           [](const GaugeField& u) { return "plaq.GaugeField(" + to_string(u.lattice().extents()) + ")"; });

  def_copies(
      gauge, [](const GaugeField& u) { return in_call(u, [&] { return GaugeField(u); }); },
      "An independent copy of the field.");
  refuse_pickle(
      gauge,
      "a GaugeField is on the ranks and in the memory of its process: write it by GaugeField.write() and "
      "read it by plaq.read_gauge(), or pickle its array()");

  nb::class_<FlowPoint>(module, "FlowPoint", "Measurements at a point of the gradient flow.")
      .def_ro("t", &FlowPoint::t, "Flow time, in units of a^2.")
      .def_ro("energy", &FlowPoint::clover_energy, "E from clover leaves.")
      .def_ro("plaquette_energy", &FlowPoint::plaquette_energy, "2 sum Re tr(1 - P), average over sites.")
      .def_ro("topological_charge", &FlowPoint::topological_charge, "From clover leaves.")
      .def("__repr__", [](const FlowPoint& p) {
        return fmt::format("plaq.FlowPoint(t = {}, energy = {})", p.t, p.clover_energy);
      });

  nb::class_<Flow> flow(module, "Flow", "A gauge field along the gradient flow.");
  def_copies(
      flow, [](const Flow& f) { return in_call(f.gauge, [&] { return Flow(f); }); }, "An independent copy.");
  refuse_pickle(
      flow, "a Flow has a GaugeField, which belongs to its process: pickle t, energy, topological_charge");
  flow.def_ro("gauge", &Flow::gauge, "The field at the end.")
      .def_prop_ro(
          "t", [](const Flow& f) { return column(f, &FlowPoint::t); }, "Flow times, in units of a^2.")
      .def_prop_ro(
          "energy", [](const Flow& f) { return column(f, &FlowPoint::clover_energy); },
          "E from clover leaves at each time.")
      .def_prop_ro(
          "plaquette_energy", [](const Flow& f) { return column(f, &FlowPoint::plaquette_energy); },
          "2 sum Re tr(1 - P) at each time, average over sites.")
      .def_prop_ro(
          "topological_charge", [](const Flow& f) { return column(f, &FlowPoint::topological_charge); },
          "From clover leaves at each time.")
      .def_ro("t0", &Flow::t0, "The flow time t0 with t^2 E = 0.3; None if the flow ends before it.")
      .def_ro("w0", &Flow::w0, "w0 with t d/dt (t^2 E) = 0.3 at t = w0^2; None if the flow ends before it.");

  module.def("read_gauge", &read_gauge_file, "path"_a, "lattice"_a = nb::none(), "antiperiodic"_a = false,
             "accept_checksums"_a = std::vector<std::string>(), "comm"_a = nb::none(), "location"_a = "auto",
             "keys"_a,
             "Reads a gauge field and checks links, checksum, plaquette and link trace; plaq\n"
             "finds the format. Without a lattice, the call creates one with the extents of\n"
             "the file, from comm, location and keys as in Lattice(). Collective.");
  module.def(
      "gauge_extents", [](const Path& path) { return gauge_extents(path.string()); }, "path"_a,
      "Extents x, y, z, t of the gauge field in a file.");
  module.def(
      "unit_gauge",
      [](const Lattice& lattice) { return in_call(lattice, [&] { return unit_gauge(lattice); }); },
      "lattice"_a, "A gauge field with all links 1.");
  module.def(
      "random_gauge",
      [](const Lattice& lattice, std::uint64_t seed) {
        return in_call(lattice, [&] { return random_gauge(lattice, seed); });
      },
      "lattice"_a, "seed"_a, "A gauge field with random links in SU(3), the same on any process grid.");
  return gauge;
}

}  // namespace plaq::python

#include "python/bindings/bindings.hpp"

#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "plaq/gauge_observables.hpp"
#include "plaq/gluon.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/gauge/gauge_observable_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {
namespace {

using GluonRows = std::vector<GluonMomenta::Row>;

// An array of a number of each row.
template <class T, class Number>
nb::object column(const GluonRows& rows, const Number& number) {
  std::vector<T> numbers;
  for (const auto& row : rows) numbers.push_back(static_cast<T>(number(row)));
  return numpy_of(numbers, {numbers.size()});
}

// Arrays by the names of the datasets in /momenta of gluon jobs.
nb::dict arrays_of(const GluonRows& rows, std::size_t directions) {
  using Row = GluonMomenta::Row;
  std::vector<std::int64_t> n;
  for (const Row& row : rows) n.insert(n.end(), row.n.begin(), row.n.begin() + static_cast<int>(directions));
  nb::dict found;
  found["n"] = numpy_of(n, {rows.size(), directions});
  found["p_squared"] = column<double>(rows, [](const Row& row) { return row.squared; });
  found["count"] = column<std::int64_t>(rows, [](const Row& row) { return row.count; });
  const auto flags = [&](const auto& flag) {
    return column<std::int64_t>(rows, flag).attr("astype")("bool");
  };
  found["in_cylinder"] = flags([](const Row& row) { return row.in_cylinder; });
  found["in_cone"] = flags([](const Row& row) { return row.in_cone; });
  return found;
}

nb::object numbers(const std::vector<double>& values) { return numpy_of(values, {values.size()}); }

nb::dict gluons(const GaugeField& field, const std::string& kind, const nb::kwargs& keys) {
  nb::dict all;
  all["gauge"] = kind;
  for (const auto& [name, value] : keys) all[name] = value;
  const auto settings = Keywords()
                            .add(gluon_schema(), {"gluon"}, all)
                            .read(gluon_schema(), "gluon_propagator()")
                            .get<GluonSettings>();
  const GluonPropagators values = in_call(field, [&] { return gluon_propagator(field, settings); });
  const bool landau = settings.gauge == Gauge::landau;
  nb::dict found = arrays_of(values.momenta, landau ? 4 : 3);
  found[landau ? "propagator" : "spatial"] = numbers(values.propagator);
  if (landau) {
    found["dressing"] = found["p_squared"] * found["propagator"];
  } else {
    found["temporal"] = numbers(values.temporal);
  }
  found["divergence"] = numbers(values.divergence);
  return found;
}

nb::dict ghosts(const GaugeField& field, const std::string& momenta, const nb::kwargs& keys) {
  nb::dict all;
  all["momenta"] = momenta;
  for (const auto& [name, value] : keys) all[name] = value;
  const auto settings =
      Keywords().add(ghost_schema(), {"ghost", "gluon"}, all).read(ghost_schema(), "ghost_propagator()");
  const GhostPropagators values = in_call(field, [&] {
    return ghost_propagator(field, settings.get<GhostSettings>(), settings.get<GluonSettings>());
  });
  nb::dict found = arrays_of(values.momenta, 4);
  std::vector<double> propagator, residual;
  std::vector<std::int64_t> iterations;
  for (const GhostPoint& point : values.points) {
    propagator.push_back(point.propagator);
    residual.push_back(point.true_residual);
    iterations.push_back(point.iterations);
  }
  found["propagator"] = numbers(propagator);
  found["dressing"] = found["p_squared"] * found["propagator"];
  found["true_residual"] = numbers(residual);
  found["iterations"] = numpy_of(iterations, {iterations.size()});
  return found;
}

nb::dict wilson_loops_of(const GaugeField& field, const nb::kwargs& keys) {
  const auto settings = Keywords()
                            .add(wilson_loops_schema(), {"wilson_loops"}, keys)
                            .read(wilson_loops_schema(), "wilson_loops()")
                            .get<StaticLoopSettings>();
  const std::vector<StaticLoops> values = in_call(field, [&] { return wilson_loops(field, settings); });
  nb::dict found;
  for (std::size_t i = 0; i < values.size(); ++i)
    found[settings.directions[i].c_str()] =
        numpy_of(values[i].values,
                 {static_cast<std::size_t>(values[i].multiples), static_cast<std::size_t>(values[i].slices)});
  return found;
}

nb::dict polyakov_correlators_of(const GaugeField& field) {
  const PolyakovCorrelators values = in_call(field, [&] { return polyakov_correlators(field); });
  nb::dict found;
  found["r_squared"] = numpy_of(values.r_squared, {values.r_squared.size()});
  found["separations"] = numpy_of(values.separations, {values.separations.size()});
  found["average"] = numbers(values.average);
  found["singlet"] = numbers(values.singlet);
  return found;
}

}  // namespace

const settings::Schema& gluon_schema() {
  static const settings::Schema schema{"gluon", "Gluon propagators.", {settings::gluon_table()}, {}};
  return schema;
}

const settings::Schema& ghost_schema() {
  static const settings::Schema schema = [] {
    // The keys of [gluon] that choose momenta: the gauge is Landau gauge, and there is no coupling.
    settings::Table momenta = settings::gluon_table();
    std::erase_if(momenta.keys,
                  [](const settings::Key& key) { return key.name == "gauge" || key.name == "beta"; });
    return settings::Schema{"ghost", "Ghost propagators.", {settings::ghost_table(), momenta}, {}};
  }();
  return schema;
}

const settings::Schema& wilson_loops_schema() {
  static const settings::Schema schema{"wilson_loops", "Wilson loops.", {settings::wilson_loops_table()}, {}};
  return schema;
}

void bind_gluon(nb::module_& module) {
  module.def("gluon_propagator", &gluons, "field"_a, "gauge"_a = "landau", "keys"_a,
             "Gluon propagators of a field in Landau or Coulomb gauge, as gluon jobs have\n"
             "them: a dict of arrays. Momenta: n [momentum][direction], p_squared, count,\n"
             "in_cylinder, in_cone. Landau gauge: propagator D(p^2) in a^2, dressing, divergence;\n"
             "Coulomb gauge: spatial and temporal of equal times in a, divergence. Collective.");
  module.def("ghost_propagator", &ghosts, "field"_a, "momenta"_a = "cone", "keys"_a,
             "Ghost propagators of a field in Landau gauge, as gluon jobs have them: a dict of\n"
             "arrays with the momenta as of gluon_propagator(), and propagator G(p) in a^2,\n"
             "dressing, true_residual, iterations. Collective.");
  module.def("wilson_loops", &wilson_loops_of, "field"_a, "keys"_a,
             "Wilson loops W(r, t) of the links as they are: {direction: array [n][t]}, where\n"
             "r = n times the step of the direction (\"100\": x, y, z), n and t from 1.\n"
             "Collective.");
  module.def("polyakov_correlators", &polyakov_correlators_of, "field"_a,
             "Correlators of Polyakov loops by distance, on the links as they are: a dict of\n"
             "arrays [n] r_squared in a^2, separations (vectors r of this length), average\n"
             "tr L(x) tr L(x + r)^dagger / 9, and singlet tr [L(x) L(x + r)^dagger] / 3, which\n"
             "is that of links in Coulomb gauge. Collective.");
}

}  // namespace plaq::python

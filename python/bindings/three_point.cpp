#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <complex>
#include <iterator>
#include <string>
#include <vector>

#include "plaq/smearing.hpp"
#include "plaq/three_point.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/quark/quark_observable_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

const settings::Schema& three_point_schema() {
  static const settings::Schema schema{
      "three_point", "Three-point functions.", {settings::three_point_table()}, {}};
  return schema;
}

namespace {

// Arrays of one insertion: [t] or [momentum][t], with sink_times [sink_time] in front.
class InsertionArrays {
 public:
  InsertionArrays(const ThreePointFunctions* first, const ThreePointSettings& settings,
                  const Momenta& momenta)
      : first_(first), settings_(settings), momenta_(momenta) {}

  // Number of conserved currents.
  std::size_t conserved() const { return first_->bilinears.conserved.size(); }

  // `of(functions)`: [momentum][t] at a sink time.
  template <class Of>
  nb::object array(const Of& of) const {
    return array_of_lists(
        [&](const ThreePointFunctions& at) {
          return std::vector<std::vector<std::vector<std::complex<double>>>>{of(at)};
        },
        false);
  }
  // `of(functions)`: [z][momentum][t] at a sink time; an array [momentum][z][t].
  template <class Of>
  nb::object array_of_lists(const Of& of, bool has_z = true) const {
    const std::size_t times = settings_.times().size(), momenta = settings_.momenta.size();
    std::vector<std::complex<double>> numbers;
    std::size_t length = 0, slices = 0;
    for (std::size_t k = 0; k < times; ++k) {
      const auto values = of(first_[k]);
      length = values.size();
      for (std::size_t p = 0; p < momenta; ++p)
        for (const auto& one : values) {
          numbers.insert(numbers.end(), one[p].begin(), one[p].end());
          slices = one[p].size();
        }
    }
    std::vector<std::size_t> shape;
    if (!settings_.sink_times.empty()) shape.push_back(times);
    if (momenta_.list) shape.push_back(momenta);
    if (has_z) shape.push_back(length);
    shape.push_back(slices);
    return numpy_of(numbers, shape);
  }

 private:
  const ThreePointFunctions* first_;
  const ThreePointSettings& settings_;
  const Momenta& momenta_;
};

void add_bilinears(nb::dict& found, const InsertionArrays& arrays, const BilinearSettings& settings) {
  const char* const directions[] = {"x", "y", "z", "t"};
  const std::vector<std::string> names = bilinear_names();
  if (settings.conserved) {
    nb::dict currents;
    for (std::size_t i = 0; i < arrays.conserved(); ++i)
      currents[fmt::format("{}_{}", i < 4 ? "vector" : "axial", directions[i % 4]).c_str()] =
          arrays.array([&](const ThreePointFunctions& at) { return at.bilinears.conserved[i]; });
    found["conserved"] = currents;
  }
  if (!settings.derivatives.empty()) {
    nb::dict all;
    for (std::size_t i = 0; i < settings.derivatives.size(); ++i) {
      nb::dict of_gamma;
      for (std::size_t g = 0; g < names.size(); ++g)
        of_gamma[names[g].c_str()] =
            arrays.array([&](const ThreePointFunctions& at) { return at.bilinears.derivatives[i][g]; });
      all[settings.derivatives[i].c_str()] = of_gamma;
    }
    found["derivative"] = all;
  }
  if (!settings.line_directions.empty()) {
    nb::dict all;
    for (std::size_t i = 0; i < settings.line_directions.size(); ++i) {
      nb::dict of_gamma;
      for (std::size_t g = 0; g < names.size(); ++g)
        of_gamma[names[g].c_str()] = arrays.array_of_lists([&](const ThreePointFunctions& at) {
          std::vector<std::vector<std::vector<std::complex<double>>>> of_z;
          for (const auto& one : at.bilinears.lines[i]) of_z.push_back(one[g]);
          return of_z;
        });
      all[directions[settings.line_directions[i]]] = of_gamma;
    }
    found["wilson_line"] = all;
  }
}

// {insertion: {current: array}}.
nb::dict three_points(Solver& solver, const SpinorField& quark, nb::handle momentum, QuarkSmearer* sink,
                      const GaugeField* links, const SpinorField* current, const nb::kwargs& keys) {
  if (keys.contains("operator_links"))
    throw Error(ErrorKind::usage,
                "three_point(): operator_links is a key of jobs; give links, a gauge field");
  ThreePointSettings wanted =
      keyword_settings(three_point_schema(), keys).get<settings::ThreePointKeys>().settings();
  const Momenta momenta(momentum);
  wanted.momenta = momenta.all;
  const Propagator q = propagator_in(quark);
  const auto found =
      in_call(quark, [&] { return three_point(solver.solver, q, wanted, sink, links, current); });
  const std::vector<std::string> names = current_names();
  nb::dict all;
  for (std::size_t i = 0; i < found.size(); i += wanted.times().size()) {
    const InsertionArrays arrays(&found[i], wanted, momenta);
    nb::dict currents;
    for (std::size_t c = 0; c < names.size(); ++c)
      currents[names[c].c_str()] = arrays.array([&](const ThreePointFunctions& at) { return at.values[c]; });
    add_bilinears(currents, arrays, wanted.bilinears);
    all[std::string(insertion_names[static_cast<std::size_t>(found[i].insertion)]).c_str()] = currents;
  }
  return all;
}

SpinorField sequential_source_of(const SpinorField& quark, const std::string& insertion, int sink_time,
                                 const Momentum& sink_momentum, QuarkSmearer* sink) {
  const auto* at = std::find(std::begin(insertion_names), std::end(insertion_names), insertion);
  if (at == std::end(insertion_names))
    throw Error(ErrorKind::usage,
                fmt::format("insertion: \"{}\" is none of {}", insertion, fmt::join(insertion_names, ", ")));
  const Propagator q = propagator_in(quark);
  return in_call(quark, [&] {
    return sequential_source(q, static_cast<Insertion>(at - std::begin(insertion_names)),
                             {sink_time, sink_momentum}, sink);
  });
}

}  // namespace

void bind_three_point(nb::module_& module) {
  module.def("three_point", &three_points, "solver"_a, "quark"_a, "momentum"_a = nb::make_tuple(0, 0, 0),
             "sink"_a = nb::none(), "links"_a = nb::none(), "current"_a = nb::none(), "keys"_a,
             nb::sig("def three_point(solver: Solver, quark: QuarkField, momentum: Sequence[int] | "
                     "Sequence[Sequence[int]] = (0, 0, 0), sink: GaussianSmearing | None = None, links: "
                     "GaugeField | None = None, current: QuarkField | None = None, **keys) -> dict[str, "
                     "dict[str, Any]]"),
             "Three-point functions of local currents, as [three_point] of propagator jobs\n"
             "has them: {insertion: {current: C3}}, C3(q, t) as an array [t] from the source on,\n"
             "for a list of momenta [q][t]; with sink_times [sink_time][t] or [sink_time][q][t].\n\n"
             "quark: the propagator of the solver, before any smearing at its sink. momentum:\n"
             "integers n of the current's q = 2 pi n / L. sink: the smearing of the sink; None: a\n"
             "point. Solves for a propagator for each insertion and sink time.\n\n"
             "The dict of an insertion also has, if the keys ask for them, \"conserved\", a dict of\n"
             "arrays as above, \"derivative\", one {directions: {gamma: array}}, and \"wilson_line\",\n"
             "one {direction: {gamma: array}} with an axis [z] before [t], z from -line_length on.\n"
             "links: those of derivatives and lines; None: those of the action. current: the quark's\n"
             "current field by Solver.with_current_field, which conserved=True needs of domain walls.\n"
             "Raises NotConverged. Collective.");
  module.def(
      "sequential_source", &sequential_source_of, "quark"_a, "insertion"_a, "sink_time"_a,
      "sink_momentum"_a = Momentum{}, "sink"_a = nb::none(),
      nb::sig("def sequential_source(quark: QuarkField, insertion: Literal['pion', 'proton_u', 'proton_d', "
              "'proton_u_polarized', 'proton_d_polarized'], sink_time: int, sink_momentum: Sequence[int] = "
              "(0, 0, 0), sink: GaussianSmearing | None = None) -> QuarkField"),
      "The source of the sequential propagator through the sink of a three-point function, for\n"
      "operators of your own. With psi = solver(sequential_source(...)) and a quark field O q\n"
      "made of the propagator q by the operator, as by covariant_derivative(),\n"
      "meson(O q, (gamma, gamma5), psi, momentum, source) is C3(q, t) of qbar gamma O q; with\n"
      "q itself it is that of three_point().\n\n"
      "quark: the propagator, before any smearing at its sink. insertion: the quark on which\n"
      "the operator acts. sink_time: time slices from the source. sink_momentum: integers n of\n"
      "2 pi n / L. sink: the smearing of the sink; None: a point. Collective.");
}

}  // namespace plaq::python

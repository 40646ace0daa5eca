#include "python/bindings/bindings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "plaq/quark_loops.hpp"
#include "plaq/quark_propagator.hpp"
#include "plaq/residual_mass.hpp"
#include "plaq/smearing.hpp"
#include "plaq/taste_mesons.hpp"
#include "plaq/three_point.hpp"
#include "plaq/vertices.hpp"
#include "python/bindings/arrays.hpp"
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

const settings::Schema& quark_loops_schema() {
  static const settings::Schema schema{
      "quark_loops", "Quark loops.", {settings::loop_noise_table(), settings::loop_dilution_table()}, {}};
  return schema;
}

const settings::Schema& quark_propagator_schema() {
  static const settings::Schema schema{
      "quark_propagator", "The quark propagator.", {settings::quark_propagator_table()}, {}};
  return schema;
}

namespace {

settings::Settings keys_of(const settings::Schema& schema, const nb::dict& keys) {
  std::vector<std::string> tables;
  for (const settings::Table& table : schema.tables) tables.push_back(table.name);
  return Keywords().add(schema, tables, keys).read(schema, schema.job + "()");
}

// The propagator in the memory of a field.
Propagator propagator_in(const SpinorField& q) {
  return Propagator(SpinorField(q.lattice(), q.field(), q.note()));
}

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
  ThreePointSettings wanted = keys_of(three_point_schema(), keys).get<settings::ThreePointKeys>().settings();
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

// {current: [vector][t] or [vector][momentum][t]}.
nb::dict quark_loops_of(Solver& solver, const std::vector<std::string>& currents, nb::handle momentum,
                        bool squared, std::optional<int> iterations, std::optional<double> tolerance,
                        bool modes, int hopping, bool one_end, const nb::kwargs& keys) {
  const settings::Settings read = keys_of(quark_loops_schema(), keys);
  const Momenta momenta(momentum);
  QuarkLoopSettings wanted{.noise = read.get<LoopNoise>(),
                           .dilution = read.get<NoiseDilution>(),
                           .momenta = momenta.all,
                           .squared = squared,
                           .hopping = hopping,
                           .one_end = one_end};
  if (iterations || tolerance || modes) wanted.approximation = Approximation{iterations, tolerance, modes};
  for (const std::string& name : currents) wanted.currents.push_back(loop_current(name));
  const DiracOperator& m = solver.dirac->m;
  const auto vectors = in_call(m.lattice(), [&] { return quark_loops(solver.solver, wanted); });
  if (wanted.currents.empty()) wanted.currents = loop_currents_of(spins_of(*m.action()));
  nb::dict found;
  for (std::size_t c = 0; c < wanted.currents.size(); ++c) {
    std::vector<std::complex<double>> numbers;
    for (const QuarkLoop& loop : vectors)
      for (const auto& of_t : loop.values[c]) numbers.insert(numbers.end(), of_t.begin(), of_t.end());
    std::vector<std::size_t> shape = {vectors.size(), momenta.all.size(),
                                      static_cast<std::size_t>(m.lattice().extents()[3])};
    if (!momenta.list) shape.erase(shape.begin() + 1);
    found[wanted.currents[c].name.c_str()] = numpy_of(numbers, shape);
  }
  if (squared) {
    std::vector<std::complex<double>> numbers;
    for (const QuarkLoop& loop : vectors)
      numbers.insert(numbers.end(), loop.squared.begin(), loop.squared.end());
    found["squared"] = numpy_of(numbers, {vectors.size(), vectors.front().squared.size()});
  }
  return found;
}

using QuarkRows = std::vector<QuarkPropagatorMomentum>;

// An array [momentum] of a member of type T, or [momentum][direction] of an array of these.
template <class T, class Member>
nb::object column(const QuarkRows& rows, Member QuarkPropagatorMomentum::*member) {
  std::vector<T> numbers;
  std::vector<std::size_t> shape = {rows.size()};
  for (const QuarkPropagatorMomentum& row : rows) {
    if constexpr (requires { (row.*member).begin(); })
      numbers.insert(numbers.end(), (row.*member).begin(), (row.*member).end());
    else
      numbers.push_back(static_cast<T>(row.*member));
  }
  if (numbers.size() > rows.size()) shape.push_back(4);
  return numpy_of(numbers, shape);
}

nb::dict propagator_of(const DiracPtr& dirac, const GaugeField& gauge, const SpinorField& quark, int max_n,
                       const nb::kwargs& keys) {
  nb::dict all;
  all["max_n"] = max_n;
  for (const auto& [name, value] : keys) all[name] = value;
  const auto wanted = settings::quark_propagator_settings(keys_of(quark_propagator_schema(), all));
  const Propagator q = propagator_in(quark);
  const auto values = in_call(quark, [&] { return quark_propagator(dirac->m.action(), gauge, q, wanted); });
  using Row = QuarkPropagatorMomentum;
  const QuarkRows& rows = values.momenta;
  nb::dict found;
  found["n"] = column<std::int64_t>(rows, &Row::n);
  found["p"] = column<double>(rows, &Row::p);
  found["k"] = column<double>(rows, &Row::k);
  found["p_squared"] = column<double>(rows, &Row::p_squared);
  found["k_squared"] = column<double>(rows, &Row::k_squared);
  found["count"] = column<std::int64_t>(rows, &Row::count);
  found["in_cylinder"] = column<std::int64_t>(rows, &Row::in_cylinder).attr("astype")("bool");
  found["in_cone"] = column<std::int64_t>(rows, &Row::in_cone).attr("astype")("bool");
  found["tree_vector"] = column<double>(rows, &Row::tree_vector);
  found["tree_scalar"] = column<double>(rows, &Row::tree_scalar);
  found["scalar"] = column<std::complex<double>>(rows, &Row::scalar);
  found["vector"] = column<std::complex<double>>(rows, &Row::vector);
  found["tree_mass"] = values.tree_mass;
  found["theta"] = values.theta;
  return found;
}

// {name: [t] or [momentum][t]}.
nb::dict taste_mesons_of(Solver& solver, const GaugeField& gauge, const SpinorField& source,
                         const std::vector<std::string>& names, nb::handle momentum,
                         const SpinorField* antiquark) {
  const Momenta momenta(momentum);
  std::optional<Propagator> other;
  if (antiquark != nullptr) other.emplace(propagator_in(*antiquark));
  const auto found = in_call(source, [&] {
    return taste_mesons(solver.solver, gauge, source, names, momenta.all, other ? &*other : nullptr);
  });
  nb::dict all;
  for (const auto& [name, correlators] : found) {
    std::vector<std::complex<double>> numbers;
    for (const Correlator& one : correlators) numbers.insert(numbers.end(), one.begin(), one.end());
    std::vector<std::size_t> shape = {correlators.front().size()};
    if (momenta.list) shape.insert(shape.begin(), correlators.size());
    all[name.c_str()] = numpy_of(numbers, shape);
  }
  return all;
}

nb::object array_of_matrix(const OpenSpinColor& matrix) {
  return numpy_of(std::vector<std::complex<double>>(matrix.numbers.begin(), matrix.numbers.end()), {12, 12});
}

nb::object propagator_of_momentum(const SpinorField& quark, const std::array<int, 4>& n) {
  const Propagator q = propagator_in(quark);
  return array_of_matrix(in_call(quark, [&] { return momentum_propagator(q, n); }));
}

// {current: [row][column]}.
nb::dict vertices_of(const SpinorField& in, const std::array<int, 4>& n_in, const SpinorField& out,
                     const std::array<int, 4>& n_out) {
  const Propagator q_in = propagator_in(in), q_out = propagator_in(out);
  const auto found = in_call(in, [&] { return quark_vertices(q_in, n_in, q_out, n_out); });
  nb::dict all;
  for (const std::string& name : bilinear_names()) all[name.c_str()] = array_of_matrix(found.at(name));
  return all;
}

// {operator: [colors][a][b][c][d]}.
nb::dict four_quark_vertices_of(const SpinorField& in, const std::array<int, 4>& n_in, const SpinorField& out,
                                const std::array<int, 4>& n_out) {
  const Propagator q_in = propagator_in(in), q_out = propagator_in(out);
  const auto found = in_call(in, [&] { return four_quark_vertices(q_in, n_in, q_out, n_out); });
  nb::dict all;
  for (const auto& [name, vertex] : found) {
    std::vector<std::complex<double>> numbers(vertex.joined.begin(), vertex.joined.end());
    numbers.insert(numbers.end(), vertex.crossed.begin(), vertex.crossed.end());
    all[name.c_str()] = numpy_of(numbers, {2, 4, 4, 4, 4});
  }
  return all;
}

nb::dict residual_masses(Solver& solver, const SpinorField& source, bool midpoint,
                         const std::optional<std::array<int, 2>>& plateau) {
  ResidualMassSettings wanted{.midpoint = midpoint};
  if (plateau) wanted.plateau = Plateau{(*plateau)[0], (*plateau)[1]};
  ResidualMass found = in_call(source, [&] { return residual_mass(solver.solver, source, wanted); });
  const ResidualMassMeasurement& masses = found.masses;
  const auto array = [](const auto& numbers) { return numpy_of(numbers, {numbers.size()}); };
  nb::dict all;
  all["summed"] = masses.summed;
  all["pcac"] = array(masses.pcac);
  all["pcac_plateau"] = masses.pcac_plateau;
  if (midpoint) {
    all["midpoint"] = array(masses.midpoint);
    all["midpoint_plateau"] = masses.midpoint_plateau;
    all["midpoint_pion"] = array(masses.midpoint_pion);
  }
  all["quark"] = nb::cast(SpinorField(std::move(found.quark)));
  return all;
}

}  // namespace

void bind_quark_observables(nb::module_& module) {
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
  module.def(
      "quark_loops", &quark_loops_of, "solver"_a, "currents"_a = std::vector<std::string>(),
      "momentum"_a = nb::make_tuple(0, 0, 0), "squared"_a = false, "iterations"_a = nb::none(),
      "tolerance"_a = nb::none(), "modes"_a = false, "hopping"_a = 0, "one_end"_a = false, "keys"_a,
      nb::sig("def quark_loops(solver: Solver, currents: Sequence[str] = (), momentum: Sequence[int] | "
              "Sequence[Sequence[int]] = (0, 0, 0), squared: bool = False, iterations: int | None = None, "
              "tolerance: float | None = None, modes: bool = False, hopping: int = 0, one_end: bool = False, "
              "**keys) -> dict[str, numpy.typing.NDArray]"),
      "Quark loops sum_x exp(-i p x) tr[Gamma M^-1(x, x)] by noise with dilution, as\n"
      "loops jobs have them: {current: array [vector][t]}, one entry a noise vector, for a\n"
      "list of momenta [vector][p][t].\n\n"
      "currents: \"scalar\", \"pseudoscalar\", \"vector_x\", ...; none: all. squared: also\n"
      "sum_x tr M^-2(x, x) as \"squared\" [vector][t], by second solves. iterations,\n"
      "tolerance, modes: approximate solves, as of Solver.approximate; the same noise\n"
      "with fewer vectors and exact solves corrects them. hopping: the order of the hopping\n"
      "expansion of Wilson quarks, whose first terms are exact. one_end: of twisted-mass\n"
      "quarks, loops of the difference of both flavours, M(mu)^-1 - M(-mu)^-1 in the place of\n"
      "M^-1, by the one-end trick. Keys as in [noise], and dilution: a dict of keys as in\n"
      "[dilution]. Raises NotConverged. Collective.");
  module.def(
      "quark_propagator", &propagator_of, "dirac"_a, "gauge"_a, "quark"_a, "max_n"_a = 4, "keys"_a,
      nb::sig("def quark_propagator(dirac: Dirac, gauge: GaugeField, quark: QuarkField, max_n: int = 4, "
              "**keys) -> dict[str, numpy.typing.NDArray | float]"),
      "The quark propagator in momentum space, of a propagator from a point source on a\n"
      "field in Landau gauge, as [quark_propagator] of propagator jobs has it: a dict of\n"
      "arrays. Momenta: n, p, k [momentum][direction], p_squared, k_squared, count,\n"
      "in_cylinder, in_cone. Values: scalar (1/12) tr S(p), vector (1/12) tr gamma_mu S(p)\n"
      "[momentum][direction]; tree_scalar, tree_vector, tree_mass on unit links. theta: of\n"
      "the gauge. Collective.");
  module.def(
      "taste_mesons", &taste_mesons_of, "solver"_a, "gauge"_a, "source"_a, "spin_tastes"_a,
      "momentum"_a = nb::make_tuple(0, 0, 0), "antiquark"_a = nb::none(),
      nb::sig("def taste_mesons(solver: Solver, gauge: GaugeField, source: QuarkField, spin_tastes: "
              "Sequence[str], momentum: Sequence[int] | Sequence[Sequence[int]] = (0, 0, 0), antiquark: "
              "QuarkField | None = None) -> dict[str, numpy.typing.NDArray]"),
      "Mesons of staggered quarks with spins and tastes, as spin_tastes of propagator jobs\n"
      "has them: {name: C}, C(p, t) as an array [t] from the source on, for a list of momenta\n"
      "[p][t].\n\n"
      "source: three columns at a point or on a wall of corners. spin_tastes: \"G5-G5X\",\n"
      "\"GX-G1\" and all other pairs SPIN-TASTE, and sums over directions as \"pion_i5\". gauge:\n"
      "links of the shifts. antiquark: the propagator of the source with the antiquark's mass;\n"
      "None: that of the solver. Solves for the source, and again for each set of directions\n"
      "in which spins and tastes differ. Raises NotConverged. Collective.");
  module.def("momentum_propagator", &propagator_of_momentum, "quark"_a, "momentum"_a,
             nb::sig("def momentum_propagator(quark: QuarkField, momentum: Sequence[int]) -> "
                     "numpy.typing.NDArray"),
             "S(p) = (1/V) sum_x exp(-i p x) psi(x), an array [row][column] of 3 * spin + color,\n"
             "of the quark field psi that a solver made of volume_momentum_source() at this\n"
             "momentum. Collective.");
  module.def(
      "quark_vertices", &vertices_of, "quark_in"_a, "momentum_in"_a, "quark_out"_a, "momentum_out"_a,
      nb::sig("def quark_vertices(quark_in: QuarkField, momentum_in: Sequence[int], quark_out: QuarkField, "
              "momentum_out: Sequence[int]) -> dict[str, numpy.typing.NDArray]"),
      "Vertices (1/V) sum_x exp(-i (p_in - p_out) x) gamma5 psi_out^dagger gamma5 Gamma psi_in\n"
      "of all 16 bilinears, {current: array [row][column]} of 3 * spin + color, for RI/MOM\n"
      "and RI/SMOM as vertices jobs have them. The quark fields are those that a solver made\n"
      "of volume_momentum_source() on one gauge field in Landau gauge, which is not checked\n"
      "here. plaq.analysis.vertices amputates means of them. Collective.");
  module.def("four_quark_vertices", &four_quark_vertices_of, "quark_in"_a, "momentum_in"_a, "quark_out"_a,
             "momentum_out"_a,
             nb::sig("def four_quark_vertices(quark_in: QuarkField, momentum_in: Sequence[int], quark_out: "
                     "QuarkField, momentum_out: Sequence[int]) -> dict[str, numpy.typing.NDArray]"),
             "Vertices of four-quark operators (sbar Gamma d)(sbar Gamma d) of the quark fields of\n"
             "quark_vertices(), summed over the Gamma of scalar, pseudoscalar, vector, axial and\n"
             "tensor: {operator: array [colors][a][b][c][d]}, (1/V) sum_x exp(-2i (p_in - p_out) x)\n"
             "V_ab V_cd with open spins, V = gamma5 psi_out^dagger gamma5 Gamma psi_in. colors: those\n"
             "of each V joined, or those of both crossed. plaq.analysis.four_quark renormalises\n"
             "operators by means of them. Collective.");
  module.def("residual_mass", &residual_masses, "solver"_a, "source"_a, "midpoint"_a = false,
             "plateau"_a = nb::none(),
             nb::sig("def residual_mass(solver: Solver, source: QuarkField, midpoint: bool = False, plateau: "
                     "Sequence[int] | None = None) -> dict[str, Any]"),
             "Solves for a propagator of domain-wall quarks and measures their residual mass:\n"
             "summed by the Ward identity, pcac [t], pcac_plateau, and with midpoint also midpoint\n"
             "[t], midpoint_plateau and midpoint_pion [t]; the propagator is quark. plateau: first\n"
             "and last time slice of averages. Raises NotConverged. Collective.");
}

}  // namespace plaq::python

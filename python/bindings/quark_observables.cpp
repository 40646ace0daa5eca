#include "python/bindings/bindings.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "plaq/quark_loops.hpp"
#include "plaq/quark_propagator.hpp"
#include "plaq/residual_mass.hpp"
#include "plaq/taste_mesons.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/dirac.hpp"
#include "python/bindings/fields.hpp"
#include "python/bindings/keywords.hpp"
#include "settings/quark/quark_observable_tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

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

// {current: [vector][t] or [vector][momentum][t]}.
nb::dict quark_loops_of(Solver& solver, const std::vector<std::string>& currents, nb::handle momentum,
                        bool squared, std::optional<int> iterations, std::optional<double> tolerance,
                        bool modes, int hopping, bool one_end, const nb::kwargs& keys) {
  const settings::Settings read = keyword_settings(quark_loops_schema(), keys);
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
  const auto wanted = settings::quark_propagator_settings(keyword_settings(quark_propagator_schema(), all));
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

#include "python/bindings/dirac.hpp"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "core/system/error.hpp"
#include "plaq/action_on_links.hpp"
#include "python/bindings/copies.hpp"
#include "python/bindings/fields.hpp"
#include "settings/action/action_table.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace plaq::python {

const settings::Schema& dirac_schema() {
  using namespace settings;
  static const Schema schema{
      "dirac",
      "A Dirac operator and its solves.",
      {action_table(MassKeys::one, all_discretisations()), action_smearing_table(), solver_table(),
       multigrid_table(setup_keys(SetupsKept::where_asked))},
      joined<Rule>({dirac_rules(), {action_smearing_rule()}, multigrid_rules(), {setup_rule()}})};
  return schema;
}

std::string function_of(const std::string& type) {
  std::string name;
  bool begins = true;
  for (const char c : type) {
    if (c != '_') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return name;
}

namespace {

DiracPtr make_dirac(const GaugeField& gauge, const std::string& type, const nb::kwargs& keys) {
  nb::dict of_type;
  of_type["type"] = type;
  const Keywords all =
      Keywords().add("action", of_type).add(dirac_schema(), {"action", "action_smearing"}, keys);
  const settings::Settings settings = all.read(dirac_schema(), function_of(type) + "()");
  const Call call = call_on(gauge);
  return DiracPtr(new Dirac{
      all, DiracOperator(settings::action_parameters(settings), gauge, settings.get<ActionSmearing>())});
}

Solver made_solver(const DiracPtr& dirac, const nb::kwargs& keys) {
  const settings::Settings settings = Keywords(dirac->keys)
                                          .add(dirac_schema(), {"solver", "multigrid"}, keys)
                                          .read(dirac_schema(), "Solver()");
  const std::string& file = dirac->m.on_links().gauge_path;
  return {dirac, DiracSolver(dirac->m, settings::given_solver(settings),
                             settings::paths_of_solver(settings, {file}, file))};
}

// Solves for a source of Python: a field, or a function that fills batches.
// `approximation`: of a field, null for a solve to the tolerance.
SpinorField solve_source(Solver& solve, nb::handle source, std::optional<int> columns,
                         const std::optional<Extents>& position,
                         const Approximation* approximation = nullptr) {
  const Lattice& lattice = solve.dirac->m.lattice();
  if (position) expect_site(lattice, *position);
  if (nb::isinstance<SpinorField>(source)) {
    const auto& b = nb::cast<const SpinorField&>(source);
    PropagatorNote note = b.note();
    if (position && note.position && *position != *note.position)
      throw Error(
          ErrorKind::usage,
          fmt::format("the source is at {}, and position = {} says another site: leave it out, or set "
                      "the attribute `source` of the source",
                      text_of_site(*note.position), text_of_site(*position)));
    if (position) note.position = position;
    const Call call = call_on(lattice);
    const SpinorField with_note(b.lattice(), b.field(), note);
    return approximation != nullptr ? solve.solver.approximate(with_note, *approximation)
                                    : solve.solver.solve(with_note);
  }
  if (PyCallable_Check(source.ptr()) == 0)
    throw Error(ErrorKind::usage, "a source is a QuarkField, or a function fill(batch, first_column)");
  PropagatorNote note;
  note.position = position;
  const DiracSolver::FillBatch fill = [&](SpinorField& batch, int first) {
    const nb::gil_scoped_acquire held;
    source(SpinorField(batch.lattice(), batch.field()), first);
  };
  const Call call = call_on(lattice);
  return solve.solver.solve(fill, columns.value_or(solve.dirac->m.action()->columns()), note);
}

SpinorField applied(Dirac& dirac, const SpinorField& x, bool dagger) {
  const Call call = call_on(x);
  SpinorField y = dirac.m.vector(x.columns());
  dagger ? dirac.m.apply_dagger(y, x) : dirac.m.apply(y, x);
  return y;
}

nb::dict description(const Dirac& dirac) {
  nb::dict found;
  const Action& action = *dirac.m.action();
  if (!action.needs_bounds())
    for (const HeaderEntry& entry : action.description()) found[nb::str(entry.key.c_str())] = entry.value;
  return found;
}

std::vector<std::string> discretisation_names() {
  std::vector<std::string> names;
  for (const settings::Discretisation* one : settings::all_discretisations()) names.push_back(one->name());
  return names;
}

}  // namespace

void bind_dirac(nb::module_& module) {
  nb::class_<Dirac> dirac(module, "Dirac",
                          "A Dirac operator M with its own copy of a gauge field.\n\n"
                          "Wilson(), Clover(), Staggered(), ... create one, and so does Dirac() with the\n"
                          "type in [action] of job files.");
  dirac
      .def(nb::new_(&make_dirac), "gauge"_a, "type"_a, "keys"_a,
           "Collective. Keys as in [action] of job files: mass or kappa, boundary, ...;\n"
           "smearing: a dict of keys as in [action_smearing].")
      .def_prop_ro(
          "lattice", [](const Dirac& d) { return d.m.lattice(); }, "The Lattice of the operator.")
      .def_prop_ro(
          "name", [](const Dirac& d) { return d.m.action()->name(); }, "The discretisation.")
      .def_prop_ro(
          "mass", [](const Dirac& d) { return d.m.action()->mass(); }, "Bare mass in lattice units.")
      .def_prop_ro(
          "spins", [](const Dirac& d) { return d.m.action()->spins(); },
          "Number of spins: 4, or 1 for staggered quarks.")
      .def_prop_ro(
          "slices", [](const Dirac& d) { return d.m.action()->Ls(); }, "Ls of domain-wall quarks, else 1.")
      .def_prop_ro(
          "columns", [](const Dirac& d) { return d.m.action()->columns(); },
          "Number of columns of a propagator: 12, or 3 for staggered quarks.")
      .def_prop_ro("description", &description, "All that tells it from others.")
      .def(
          "vector", [](const Dirac& d, int columns) { return d.m.vector(columns); }, "columns"_a = 1,
          "Vectors for M that are 0 everywhere.")
      .def(
          "__call__", [](Dirac& d, const SpinorField& x) { return applied(d, x, false); }, "x"_a,
          "M x, in double precision. Collective.")
      .def(
          "apply", [](Dirac& d, const SpinorField& x) { return applied(d, x, false); }, "x"_a, "M x.")
      .def(
          "apply_dagger", [](Dirac& d, const SpinorField& x) { return applied(d, x, true); }, "x"_a,
          "M^dagger x.")
      .def("__repr__", [](const Dirac& d) {
        return fmt::format("plaq.Dirac({}, mass {})", d.m.action()->name(), d.m.action()->mass());
      });
  def_own_copies(dirac);
  refuse_pickle(
      dirac,
      "a Dirac operator is on the ranks and in the memory of its process: make one in each process, of "
      "the gauge field from its file");

  nb::class_<Solver> solver(
      module, "Solver",
      "Solves M x = b like propagator jobs. The first solve computes the setup (links,\n"
      "clover term, multigrid), and later solves use it again.");
  solver
      .def(
          "__init__",
          [](Solver* self, const DiracPtr& dirac, const nb::kwargs& keys) {
            new (self) Solver(made_solver(dirac, keys));
          },
          "dirac"_a, "keys"_a,
          "Keys as in [solver] of job files: method, tolerance, max_iterations,\n"
          "preconditioner = \"multigrid\", ...; multigrid: a dict of keys as in\n"
          "[multigrid].")
      .def(
          "__call__",
          [](Solver& self, nb::handle source, std::optional<int> columns,
             const std::optional<Extents>& position) {
            return solve_source(self, source, columns, position);
          },
          "source"_a, "columns"_a = nb::none(), "position"_a = nb::none(),
          "Solves M x = source and returns x. source: a QuarkField, or a function\n"
          "fill(batch, first_column) that writes columns first_column, first_column + 1,\n"
          "... of the source into the QuarkField `batch`. columns: number of columns that\n"
          "the function fills; default: those of a propagator. position: the point x, y,\n"
          "z, t from which correlators count; default: that of the source. Domain-wall\n"
          "quarks are returned in four dimensions. Raises NotConverged. Collective.")
      .def(
          "with_current_field",
          [](Solver& self, const SpinorField& source) {
            const Call call = call_on(source);
            SpinorField current(source.lattice());
            const Propagator quark = self.solver.propagator(source, nullptr, &current);
            return std::pair<SpinorField, SpinorField>(quark, current);
          },
          "source"_a,
          nb::sig("def with_current_field(self, source: QuarkField) -> tuple[QuarkField, QuarkField]"),
          "Solves M x = source and returns x and its current field in five dimensions, for\n"
          "three_point() with conserved=True: of domain walls with omega + sigma > 0 and\n"
          "gamma5-hermitian quarks. source: all columns of a propagator.\n"
          "Raises NotConverged. Collective.")
      .def(
          "approximate",
          [](Solver& self, const SpinorField& source, std::optional<int> iterations,
             std::optional<double> tolerance, const std::optional<Extents>& position, bool modes) {
            const Approximation how{iterations, tolerance, modes};
            return solve_source(self, nb::cast(source, nb::rv_policy::reference), {}, position, &how);
          },
          "source"_a, "iterations"_a = nb::none(), "tolerance"_a = nb::none(), "position"_a = nb::none(),
          "modes"_a = false,
          "Solves M x = source approximately and returns x: after a number of iterations,\n"
          "which start from 0, to another tolerance than the solver has, or with modes=True\n"
          "by the low modes that deflate the solver, without iterations. x is a function\n"
          "of the gauge field, of the source and of the keys of the solver, as all-mode\n"
          "averaging needs it. Its report has the residual. Raises NotConverged if a\n"
          "tolerance is missed. Collective.")
      .def_prop_ro(
          "name", [](const Solver& s) { return s.solver.name(); },
          "Method and precisions, for example \"bicgstab, single 12 in double 18, ...\".")
      .def_ro("dirac", &Solver::dirac, "The operator M.");
  def_own_copies(solver);
  refuse_pickle(solver,
                "a Solver is on the ranks and in the memory of its process: make one in each process");

  module.def("discretisations", &discretisation_names, "The types of Dirac operators that there are.");
}

}  // namespace plaq::python

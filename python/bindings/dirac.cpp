#include "python/bindings/dirac.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cctype>
#include <filesystem>
#include <utility>

#include "core/system/error.hpp"
#include "observables/quark/quarks_together.hpp"
#include "python/bindings/copies.hpp"
#include "settings/action/action_smearing.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/multigrid_table.hpp"
#include "settings/solver/setup_keys.hpp"
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

namespace {

PropagatorNote note_of(const GaugeField& gauge) {
  PropagatorNote note;
  const GaugeField::Identity* identity = gauge.identity();
  if (identity == nullptr) return note;
  note.gauge_file = std::filesystem::path(gauge.file).filename().string();
  note.gauge_format = identity->format;
  note.gauge_checksum = identity->checksum;
  return note;
}

}  // namespace

std::string function_of(const std::string& type) {
  std::string name;
  bool begins = true;
  for (const char c : type) {
    if (c != '_') name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return name;
}

Dirac::Dirac(const GaugeField& gauge, Keywords keys, const std::string& type)
    : lattice_(gauge.lattice),
      keys_(std::move(keys)),
      settings_(keys_.read(dirac_schema(), function_of(type) + "()")),
      gauge_file_(gauge.file),
      note_(note_of(gauge)),
      links_{lattice_->context().grid.get(), {}, lattice_->queue(), lattice_->context().transport} {
  const Call call = gauge.call();
  Field links = with_halo(gauge);
  links_ = fermion_links(lattice_->context(), links, settings_.get<ActionSmearing>());
  action_ = settings::action_parameters(settings_);
  note_.action = action_->name();
  note_.mass = action_->mass();
  note_.boundary = settings_.get<settings::ActionKeys>().boundary[3];
  note_.space_boundary = settings_.get<settings::ActionKeys>().in_space();
}

LinearOperator& Dirac::matrix(int batch) {
  if (!exact_) {
    if (action_->needs_bounds()) action_ = action_->within(action_->measure_bounds(links_));
    matrix_ = action_->on(links_, action_->clover_field(links_));
    exact_ = matrix_->hopping(high_precision_storage);
  }
  auto& made = full_[batch];
  if (!made) made = exact_->full(batch);
  return *made;
}

QuarkField Dirac::vector(int columns) const {
  expect_columns(columns, action_->slices());
  return {{lattice_, Field(lattice_->geometry(), action_->full_spec(columns, lattice_->location()))}};
}

DiracSolve::DiracSolve(DiracPtr dirac, const nb::dict& keys)
    : dirac_(std::move(dirac)),
      settings_(Keywords(dirac_->keys())
                    .add(dirac_schema(), {"solver", "multigrid"}, keys)
                    .read(dirac_schema(), "Solver()")) {}

PropagatorSolver& DiracSolve::solver(int columns) {
  auto& made = solvers_[columns];
  if (made) return *made;
  const Action& action = dirac_->action();
  const int together = columns == action.columns()
                           ? columns_at_once(settings_.get<SolverSettings>(), columns, action.slices())
                           : columns;
  made = std::make_unique<PropagatorSolver>(
      dirac_->links(), settings::action_parameters(settings_),
      settings::solver_settings(settings_, dirac_->lattice()->location(), columns), together,
      settings::paths_of_solver(settings_, {dirac_->gauge_file()}, dirac_->gauge_file()));
  return *made;
}

// More columns than a source has go in parts of that size.
QuarkField DiracSolve::solve(const Fill& fill, int columns, const PropagatorNote& source) {
  const int each = std::min(columns, dirac_->action().columns());
  QuarkField found{{dirac_->lattice(), {}}, dirac_->note(), ColumnsSolved()};
  found.note.position = source.position;
  found.note.source_type = source.source_type;
  found.note.source = source.source;
  found.note.seed = source.seed;
  found.field = Field(dirac_->lattice()->geometry(),
                      dirac_->action().quark_spec(columns, dirac_->lattice()->location()));
  for (int first = 0; first < columns; first += each) {
    const int count = std::min(each, columns - first);
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(fmt::format("column {}", first + i));
    const Fill part = [&](Field& b, int column) { fill(b, first + column); };
    Field quark(found.field.geometry_ptr(), solver(count).quark_spec(count));
    const std::string where = dirac_->gauge_file().empty() ? "gauge field" : dirac_->gauge_file();
    const ColumnReport report = solver(count).solve(quark, part, where, nullptr, names);
    warn_of_slices(report, where);
    for (int i = 0; i < count; ++i) copy_subfield(found.field, first + i, quark, i);
    ColumnsSolved& all = *found.solved;
    all.true_residuals.insert(all.true_residuals.end(), report.true_residuals.begin(),
                              report.true_residuals.end());
    all.iterations.insert(all.iterations.end(), report.iterations.begin(), report.iterations.end());
    all.updates.insert(all.updates.end(), report.updates.begin(), report.updates.end());
    all.attempts = std::max(all.attempts, report.attempts);
  }
  return found;
}

std::string DiracSolve::name() const {
  return name_of(settings::solver_settings(settings_, dirac_->lattice()->location()));
}

namespace {

DiracPtr make_dirac(const GaugeField& gauge, const std::string& type, const nb::kwargs& keys) {
  nb::dict of_type;
  of_type["type"] = type;
  const Keywords all =
      Keywords().add("action", of_type).add(dirac_schema(), {"action", "action_smearing"}, keys);
  return std::make_shared<Dirac>(gauge, all, type);
}

// Of a source as Python has it: a field, or a function that fills batches.
QuarkField solve_source(DiracSolve& solve, nb::handle source, std::optional<int> columns,
                        const std::optional<Extents>& position) {
  const Dirac& dirac = *solve.dirac();
  const LatticePtr& lattice = dirac.lattice();
  if (position) expect_site(lattice, *position);
  if (nb::isinstance<QuarkField>(source)) {
    const auto& b = nb::cast<const QuarkField&>(source);
    const FieldSpec wanted = dirac.action().quark_spec(b.field.batch(), lattice->location());
    if (b.lattice != lattice)
      throw Error(ErrorKind::usage, "the source is on another lattice than the operator");
    if (b.field.spec() != wanted)
      throw Error(ErrorKind::usage,
                  fmt::format("a source of {} is wanted, in double precision and four dimensions",
                              dirac.action().spins() == 1 ? "color vectors (spins = 1)" : "spinors"));
    PropagatorNote note = b.note;
    if (position && note.position && *position != *note.position)
      throw Error(
          ErrorKind::usage,
          fmt::format("the source is at ({}), and position = ({}) says another site: leave it out, or set "
                      "the attribute `source` of the source",
                      fmt::join(*note.position, ", "), fmt::join(*position, ", ")));
    if (position) note.position = position;
    const SpaceSigns& boundary = dirac.note().space_boundary.value();
    if (note.space_boundary && *note.space_boundary != boundary)
      throw Error(ErrorKind::usage,
                  fmt::format("the source was smeared with space_boundary = ({}), and the operator has ({})",
                              fmt::join(*note.space_boundary, ", "), fmt::join(boundary, ", ")));
    if (const auto why = refuse_source_in_space(boundary, note.source_type))
      throw Error(ErrorKind::usage, *why);
    const Call call = lattice->call();
    return solve.solve(
        [&](Field& part, int first) {
          for (int i = 0; i < part.subfields(); ++i) copy_subfield(part, i, b.field, first + i);
        },
        b.field.batch(), note);
  }
  if (PyCallable_Check(source.ptr()) == 0)
    throw Error(ErrorKind::usage, "a source is a QuarkField, or a function fill(batch, first_column)");
  PropagatorNote note;
  note.position = position;
  if (columns) expect_columns(*columns, 1);
  const Call call = lattice->call();
  return solve.solve(
      [&](Field& part, int first) {
        const nb::gil_scoped_acquire held;
        source(QuarkField{{lattice, part}}, first);
      },
      columns.value_or(dirac.action().columns()), note);
}

QuarkField apply(Dirac& dirac, const QuarkField& x, bool dagger) {
  if (x.lattice != dirac.lattice())
    throw Error(ErrorKind::usage, "the field is on another lattice than the operator");
  QuarkField b = dirac.vector(x.field.batch());
  if (b.field.spec() != x.field.spec())
    throw Error(ErrorKind::usage, "M acts on fields such as its vector() makes");
  b.note = x.note;
  const Call call = x.call();
  LinearOperator& m = dirac.matrix(x.field.batch());
  dagger ? m.apply_dagger(b.field, x.field) : m.apply(b.field, x.field);
  x.queue().synchronize();
  return b;
}

nb::dict description(const Dirac& dirac) {
  nb::dict found;
  if (!dirac.action().needs_bounds())
    for (const HeaderEntry& entry : dirac.action().description())
      found[nb::str(entry.key.c_str())] = entry.value;
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
                          "A Dirac operator M on a gauge field, of which it has a copy.\n\n"
                          "Made by Wilson(), Clover(), Staggered(), ..., or by its type in [action] of\n"
                          "job files.");
  dirac
      .def(nb::new_(&make_dirac), "gauge"_a, "type"_a, "keys"_a,
           "Collective. Keys as in [action] of job files: mass or kappa, boundary, ...;\n"
           "smearing: a dict of keys as in [action_smearing].")
      .def_prop_ro(
          "lattice", [](const Dirac& d) { return d.lattice(); }, "The Lattice that it is on.")
      .def_prop_ro(
          "name", [](const Dirac& d) { return d.action().name(); }, "The discretisation.")
      .def_prop_ro(
          "mass", [](const Dirac& d) { return d.action().mass(); }, "Bare, in lattice units.")
      .def_prop_ro(
          "spins", [](const Dirac& d) { return d.action().spins(); }, "4, or 1 of staggered quarks.")
      .def_prop_ro(
          "slices", [](const Dirac& d) { return d.action().slices(); }, "N_s, or 1.")
      .def_prop_ro(
          "columns", [](const Dirac& d) { return d.action().columns(); }, "Of a propagator: 12, or 3.")
      .def_prop_ro("description", &description, "All that tells it from others.")
      .def("vector", &Dirac::vector, "columns"_a = 1, "Vectors that M acts on, 0 everywhere.")
      .def(
          "__call__", [](Dirac& d, const QuarkField& x) { return apply(d, x, false); }, "x"_a,
          "M x, in double precision. Collective.")
      .def(
          "apply", [](Dirac& d, const QuarkField& x) { return apply(d, x, false); }, "x"_a, "M x.")
      .def(
          "apply_dagger", [](Dirac& d, const QuarkField& x) { return apply(d, x, true); }, "x"_a,
          "M^dagger x.")
      .def("__repr__", [](const Dirac& d) {
        return fmt::format("plaq.Dirac({}, mass {})", d.action().name(), d.action().mass());
      });
  def_own_copies(dirac);
  refuse_pickle(
      dirac,
      "a Dirac operator is on the ranks and in the memory of its process: make one in each process, of "
      "the gauge field from its file");

  nb::class_<DiracSolve> solver(module, "Solver",
                                "Solves M x = b as propagator jobs do. Its setup (links, clover term,\n"
                                "multigrid) is made at the first solve, and serves all.");
  solver
      .def(
          "__init__",
          [](DiracSolve* self, const DiracPtr& dirac, const nb::kwargs& keys) {
            new (self) DiracSolve(dirac, keys);
          },
          "dirac"_a, "keys"_a,
          "Keys as in [solver] of job files: method, tolerance, max_iterations,\n"
          "preconditioner = \"multigrid\", ...; multigrid: a dict of keys as in\n"
          "[multigrid].")
      .def("__call__", &solve_source, "source"_a, "columns"_a = nb::none(), "position"_a = nb::none(),
           "M^-1 on a source: a QuarkField, or a function fill(batch, first_column) that\n"
           "writes columns first_column, first_column + 1, ... of the source into a\n"
           "QuarkField; of so many columns, at a position that correlators count from.\n"
           "Quarks in five dimensions are returned in four. Raises NotConverged.\n"
           "Collective.")
      .def_prop_ro("name", &DiracSolve::name, "What solves: \"bicgstab, single 12 in double 18, ...\".")
      .def_prop_ro(
          "dirac", [](const DiracSolve& s) { return s.dirac(); }, "Its operator M.");
  def_own_copies(solver);
  refuse_pickle(solver,
                "a Solver is on the ranks and in the memory of its process: make one in each process");

  module.def("discretisations", &discretisation_names, "The types of Dirac operators that there are.");
}

}  // namespace plaq::python

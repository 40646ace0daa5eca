#include "plaq/dirac_solver.hpp"

#include <algorithm>
#include <map>

#include "comms/grid/shared_lattice.hpp"
#include "plaq/links_of.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "quarks/solve/solver_faults.hpp"
#include "settings/schema/filled_settings.hpp"
#include "settings/solver/multigrid_table.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq {
namespace {

const settings::Schema& solver_schema() {
  static const settings::Schema schema{
      "solver",
      "The linear solves.",
      {settings::solver_table(), settings::multigrid_table()},
      settings::joined<settings::Rule>({settings::solver_rules(), settings::multigrid_rules()})};
  return schema;
}

[[noreturn]] void refuse_solver(const std::string& why) {
  throw Error(ErrorKind::usage, "DiracSolver: " + why);
}

void expect_valid(const SolverSettings& settings, const Action& action) {
  SolverSettings solver = settings;
  if (solver.multigrid)
    solver.multigrid = MultigridOptions();  // [solver] says that there is one, [multigrid] which one
  settings::expect_valid(solver_schema(), "DiracSolver", solver,
                         settings.multigrid.value_or(MultigridOptions()));
  for (const auto& [parameter, what] : faults_of(settings, action))
    refuse_solver("settings." + parameter + ": " + what);
}

void expect_files(const SolverSettings& settings, const SetupPaths& files) {
  if (settings.modes && files.modes.empty())
    refuse_solver("settings.modes: files.modes is missing, where the eigenvectors are that deflate");
  if (!files.modes.empty())
    for (const ParameterFault& fault : faults_of_deflation(settings))
      refuse_solver("files.modes, settings." + fault.parameter + ": " + fault.what);
  const bool setups = !files.own.empty() || !files.before.empty() || files.refresh;
  if (setups && !settings.multigrid) refuse_solver("files.own: setups are of settings.multigrid");
  if (setups && files.own.empty())
    refuse_solver("files.own is missing, where the setup is that is refreshed");
}

}  // namespace

struct DiracSolver::Parts {
  ActionPtr action;
  GaugeField gauge;
  SolverSettings settings;
  SetupPaths files;
  ColumnsSolved last = {};
  std::map<int, std::unique_ptr<PropagatorSolver>> solvers = {};  // by columns

  SolverSettings resolved_for(double solves) const {
    SolverSettings mine = settings;
    if (mine.multigrid) {
      mine = with_multigrid(mine, *mine.multigrid);
      mine.multigrid->solves = solves;
    }
    return resolved(mine, *action, gauge.lattice().location());
  }

  PropagatorSolver& solver(int columns) { return solver(columns, columns); }
  PropagatorSolver& solver(int columns, double solves) {
    auto& made = solvers[columns];
    if (made) return *made;
    SolverSettings mine = resolved_for(solves);
    // settings.columns is about the columns of a propagator alone.
    if (columns != action->columns()) mine.columns.reset();
    const int together = columns_at_once(mine, columns, action->slices());
    made = std::make_unique<PropagatorSolver>(links_of(gauge), action, mine, together, files);
    return *made;
  }

  std::string name_of_gauge() const {
    const std::string file = gauge.file().file;
    return file.empty() ? "gauge field" : file;
  }

  // Columns beyond those of a propagator go in parts of that size.
  // `midpoint`: null, or of as many columns as a propagator has.
  SpinorField solve(const PropagatorSolver::FillSource& fill, int columns, PropagatorNote note,
                    Field* midpoint = nullptr) {
    const int each = std::min(columns, action->columns());
    const std::string where = name_of_gauge();
    SpinorField found(gauge.lattice(), {.columns = columns, .spins = action->spins()});
    last = {};
    for (int first = 0; first < columns; first += each) {
      const int count = std::min(each, columns - first);
      std::vector<std::string> names;
      for (int i = 0; i < count; ++i) names.push_back("column " + std::to_string(first + i));
      const PropagatorSolver::FillSource part = [&](Field& b, int column) { fill(b, first + column); };
      Field quark(found.field().geometry_ptr(), solver(count).quark_spec(count));
      const ColumnReport report = solver(count).solve(quark, part, where, midpoint, names);
      warn_of_slices(report, where);
      for (int i = 0; i < count; ++i) copy_subfield(found.field(), first + i, quark, i);
      const auto append = [](auto& to, const auto& more) { to.insert(to.end(), more.begin(), more.end()); };
      append(last.true_residuals, report.true_residuals);
      append(last.iterations, report.iterations);
      append(last.updates, report.updates);
      last.attempts = std::max(last.attempts, report.attempts);
    }
    found.field().touch();
    found.note() = note_of_solution(*action, gauge, note);
    return found;
  }
};

DiracSolver::DiracSolver(ActionPtr action, const GaugeField& gauge, const SolverSettings& settings,
                         const SetupPaths& files)
    : parts_(std::make_unique<Parts>(Parts{std::move(action), gauge, settings, files})) {
  if (!parts_->action) refuse_solver("there is no action");
  expect_valid(settings, *parts_->action);
  expect_files(settings, files);
  if (!files.modes.empty()) parts_->settings.modes = settings.modes.value_or(0);
}
DiracSolver::~DiracSolver() = default;
DiracSolver::DiracSolver(DiracSolver&&) noexcept = default;
DiracSolver& DiracSolver::operator=(DiracSolver&&) noexcept = default;

Propagator DiracSolver::propagator(const SourcePtr& source, Propagator* midpoint) {
  if (!source) throw Error(ErrorKind::usage, "DiracSolver::propagator: there is no source");
  source->expect_on(lattice().extents());
  const auto fill = [&](Field& b, int first_column) { source->fill(b, first_column); };
  const int columns = parts_->action->columns();
  Field* middle = nullptr;
  if (midpoint != nullptr) {
    if (const std::string none = parts_->action->no_midpoint();
        !none.empty() || parts_->action->slices() == 1)
      throw Error(ErrorKind::usage, "DiracSolver::propagator: there is no midpoint: " +
                                        (none.empty() ? "it is of domain-wall quarks" : none));
    *midpoint = Propagator(lattice());
    middle = &midpoint->field();
  }
  SpinorField found = parts_->solve(fill, columns, source_note(*source), middle);
  if (middle != nullptr) {
    middle->touch();
    midpoint->note() = found.note();
  }
  return Propagator(std::move(found), parts_->last);
}

Propagator DiracSolver::propagator(const SpinorField& source) {
  return Propagator(solve(source), parts_->last);
}

SpinorField DiracSolver::solve(const SpinorField& b) {
  const FieldSpec wanted = parts_->action->quark_spec(b.columns(), lattice().location());
  if (!(b.lattice() == lattice()))
    throw Error(ErrorKind::usage, "the source is on another lattice than the gauge field");
  if (b.field().spec() != wanted)
    throw Error(ErrorKind::usage, std::string("a source of ") +
                                      (parts_->action->spins() == 1 ? "color vectors" : "spinors") +
                                      " is wanted, in double precision and four dimensions");
  const auto fill = [&](Field& part, int first) {
    for (int i = 0; i < part.subfields(); ++i) copy_subfield(part, i, b.field(), first + i);
  };
  return parts_->solve(fill, b.columns(), b.note());
}

const ColumnsSolved& DiracSolver::last() const { return parts_->last; }
const ActionPtr& DiracSolver::action() const { return parts_->action; }
const SolverSettings& DiracSolver::settings() const { return parts_->settings; }
const Lattice& DiracSolver::lattice() const { return parts_->gauge.lattice(); }
PropagatorNote DiracSolver::note() const { return note_of_solution(*parts_->action, parts_->gauge, {}); }
std::string DiracSolver::gauge_name() const { return parts_->name_of_gauge(); }
PropagatorSolver& DiracSolver::of_columns(int columns, double solves) {
  return parts_->solver(columns, solves);
}
std::string DiracSolver::name() const { return name_of(parts_->resolved_for(parts_->action->columns())); }

}  // namespace plaq

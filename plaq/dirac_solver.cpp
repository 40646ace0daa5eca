#include "plaq/dirac_solver.hpp"

#include <algorithm>
#include <map>

#include "comms/start/shared_lattice.hpp"
#include "plaq/action_on_links.hpp"
#include "quarks/action/conserved_current.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/schema/filled_settings.hpp"
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
    solver.multigrid = MultigridOptions();      // [solver] says that there is one, [multigrid] which one
  if (solver.modes == 0) solver.modes.reset();  // all of a file, as the key is without a value
  settings::expect_valid(solver_schema(), "DiracSolver", solver,
                         settings.multigrid.value_or(MultigridOptions()));
  for (const auto& [parameter, what] : faults_of(settings, action))
    refuse_solver("settings." + parameter + ": " + what);
}

void expect_files(const SolverSettings& settings, const SetupPaths& files) {
  if (settings.modes && files.modes.empty())
    refuse_solver("settings.modes: files.modes is missing: the directory of the eigenvectors that deflate");
  if (!files.modes.empty())
    for (const ParameterFault& fault : faults_of_deflation(settings))
      refuse_solver("files.modes, settings." + fault.parameter + ": " + fault.what);
  const bool setups = !files.own.empty() || !files.before.empty() || files.refresh;
  if (setups && !settings.multigrid)
    refuse_solver("files.own: only multigrid has setups; set settings.multigrid or leave files.own out");
  if (setups && files.own.empty())
    refuse_solver("files.own is missing: the file of the setup that is refreshed");
}

}  // namespace

struct DiracSolver::Parts {
  ActionOnLinks on;
  SolverSettings settings;
  SetupPaths files = {};
  ColumnsSolved last = {};
  std::map<int, std::unique_ptr<PropagatorSolver>> solvers = {};  // by columns
  std::unique_ptr<PropagatorSolver> backwards = {};               // of the walls read backwards

  SolverSettings resolved_for(double solves) const {
    SolverSettings mine = settings;
    if (mine.multigrid) {
      mine = with_multigrid(mine, *mine.multigrid);
      mine.multigrid->solves = solves;
    }
    return resolved(mine, *on.action, on.lattice.location());
  }

  PropagatorSolver& solver(int columns) { return solver(columns, columns); }
  PropagatorSolver& solver(int columns, double solves) {
    auto& made = solvers[columns];
    if (made) return *made;
    SolverSettings mine = resolved_for(solves);
    // settings.columns is about the columns of a propagator alone.
    if (columns != on.action->columns()) mine.columns.reset();
    const int together = columns_at_once(mine, columns, on.action->Ls());
    made = std::make_unique<PropagatorSolver>(on.links, on.action, mine, together, files);
    return *made;
  }

  PropagatorSolver& through_sink() {
    const int columns = on.action->columns();
    const ActionPtr through = action_through_sink(on.action);
    if (through == on.action) return solver(columns);
    if (settings.modes)
      throw Error(
          ErrorKind::usage,
          "DiracSolver: conserved currents of domain walls whose weights are not the same read backwards "
          "are solved with these weights, too, of which there are no modes; solve without modes");
    const SolverSettings mine = resolved_for(columns);
    if (!backwards)
      backwards = std::make_unique<PropagatorSolver>(on.links, through, mine,
                                                     columns_at_once(mine, columns, on.action->Ls()));
    return *backwards;
  }

  std::string name_of_gauge() const { return on.gauge_path.empty() ? "gauge field" : on.gauge_path; }

  // Columns beyond those of a propagator go in parts of that size.
  // `walls`: fields of as many columns as a propagator has.
  // `approximation`: null for a solve to the tolerance.
  SpinorField solve(const PropagatorSolver::FillSource& fill, int columns, const PropagatorNote& source,
                    const WallFields& walls = {}, const Approximation* approximation = nullptr) {
    const int each = std::min(columns, on.action->columns());
    const std::string where = name_of_gauge();
    SpinorField found(on.lattice, {.columns = columns, .spins = on.action->spins()});
    found.note() = note_of_solution(on, source);
    last = {};
    for (int first = 0; first < columns; first += each) {
      const int count = std::min(each, columns - first);
      std::vector<std::string> names;
      for (int i = 0; i < count; ++i) names.push_back("column " + std::to_string(first + i));
      const PropagatorSolver::FillSource part = [&](Field& b, int column) { fill(b, first + column); };
      Field quark(found.field().geometry_ptr(), solver(count).quark_spec(count));
      PropagatorSolver& with = solver(count);
      const ColumnReport report = approximation != nullptr
                                      ? with.approximate(quark, part, *approximation, where, names)
                                      : with.solve(quark, walls, part, where, names);
      if (approximation == nullptr) warn_of_slices(report, where);
      for (int i = 0; i < count; ++i) copy_subfield(found.field(), first + i, quark, i);
      const auto append = [](auto& to, const auto& more) { to.insert(to.end(), more.begin(), more.end()); };
      append(last.true_residuals, report.true_residuals);
      append(last.iterations, report.iterations);
      append(last.updates, report.updates);
      last.attempts = std::max(last.attempts, report.attempts);
    }
    found.field().touch();
    found.set_solved(last);
    return found;
  }

  // `midpoint`, `current`: null, or they receive these fields of domain walls.
  Propagator propagator(const PropagatorSolver::FillSource& fill, const PropagatorNote& source,
                        Propagator* midpoint, SpinorField* current) {
    WallFields walls;
    if (midpoint != nullptr) {
      if (const std::string none = on.action->no_midpoint(); !none.empty() || on.action->Ls() == 1)
        throw Error(ErrorKind::usage, "DiracSolver::propagator: there is no midpoint: " +
                                          (none.empty() ? "only domain-wall quarks have one" : none));
      *midpoint = Propagator(on.lattice);
      walls.midpoint = &midpoint->field();
    }
    if (current != nullptr) {
      if (!on.action->has_walls() || !conserved_current_weights(*on.action))
        throw Error(
            ErrorKind::usage,
            "DiracSolver::propagator: there is no current field: only domain-wall quarks have one, with "
            "omega + sigma > 0 and gamma5-hermitian quarks");
      *current = SpinorField(on.lattice, {.columns = on.action->columns(), .Ls = on.action->Ls()});
      walls.current = &current->field();
    }
    Propagator found(solve(fill, on.action->columns(), source, walls));
    for (SpinorField* more : {static_cast<SpinorField*>(midpoint), current}) {
      if (more == nullptr) continue;
      more->field().touch();
      more->note() = found.note();
    }
    return found;
  }

  // Columns of a source, which must outlive them. `function`: of DiracSolver, for the error.
  PropagatorSolver::FillSource columns_of(const SourcePtr& source, const std::string& function) const {
    if (!source)
      throw Error(ErrorKind::usage, "DiracSolver::" + function +
                                        ": the source is null; make one, for example by point_source()");
    source->expect_on(on.lattice.extents());
    return [&source](Field& b, int first_column) { source->fill(b, first_column); };
  }

  // The columns of a field as a source; they must outlive it.
  PropagatorSolver::FillSource columns_of(const SpinorField& b) const {
    const FieldSpec wanted = on.action->quark_spec(b.columns(), on.lattice.location());
    if (!(b.lattice() == on.lattice))
      throw Error(ErrorKind::usage,
                  "the source lies on another lattice than the operator; make both on one Lattice");
    if (b.field().spec() != wanted)
      throw Error(ErrorKind::usage, std::string("a source of ") +
                                        (on.action->spins() == 1 ? "color vectors" : "spinors") +
                                        " is wanted, in double precision and four dimensions");
    return [&b](Field& part, int first) {
      for (int i = 0; i < part.subfields(); ++i) copy_subfield(part, i, b.field(), first + i);
    };
  }
};

DiracSolver::DiracSolver(const ActionPtr& action, const GaugeField& gauge, const SolverSettings& settings,
                         const SetupPaths& files)
    : DiracSolver(DiracOperator(action, gauge), settings, files) {}

DiracSolver::DiracSolver(const DiracOperator& m, const SolverSettings& settings, const SetupPaths& files)
    : parts_(std::make_unique<Parts>(Parts{m.on_links(), settings, files})) {
  expect_valid(settings, *m.action());
  expect_files(settings, files);
  if (!files.modes.empty()) parts_->settings.modes = settings.modes.value_or(0);
}
DiracSolver::~DiracSolver() = default;
DiracSolver::DiracSolver(DiracSolver&&) noexcept = default;
DiracSolver& DiracSolver::operator=(DiracSolver&&) noexcept = default;

Propagator DiracSolver::propagator(const SourcePtr& source, Propagator* midpoint, SpinorField* current) {
  const auto fill = parts_->columns_of(source, "propagator");
  return parts_->propagator(fill, source_note(*source), midpoint, current);
}

Propagator DiracSolver::propagator(const SpinorField& source, Propagator* midpoint, SpinorField* current) {
  if (midpoint == nullptr && current == nullptr) return Propagator(solve(source));
  return parts_->propagator(parts_->columns_of(source), source.note(), midpoint, current);
}

SpinorField DiracSolver::solve(const SpinorField& b) {
  return parts_->solve(parts_->columns_of(b), b.columns(), b.note());
}

SpinorField DiracSolver::solve(const FillBatch& fill, int columns, const PropagatorNote& source) {
  const auto fill_field = [&](Field& part, int first) {
    SpinorField batch(lattice(), part);  // the same memory
    fill(batch, first);
    if (batch.field().data(0, 0) != part.data(0, 0)) copy(part, batch.field());  // assigned to
  };
  return parts_->solve(fill_field, columns, source);
}

namespace {

void expect_right(const Approximation& how, const SolverSettings& settings) {
  if (const auto fault = how.fault(settings))
    throw Error(ErrorKind::usage, "DiracSolver::approximate: " + fault->parameter + ": " + fault->what);
}

}  // namespace

SpinorField DiracSolver::approximate(const SpinorField& b, const Approximation& how) {
  expect_right(how, settings());
  return parts_->solve(parts_->columns_of(b), b.columns(), b.note(), {}, &how);
}

Propagator DiracSolver::approximate(const SourcePtr& source, const Approximation& how) {
  expect_right(how, settings());
  const auto fill = parts_->columns_of(source, "approximate");
  return Propagator(parts_->solve(fill, action()->columns(), source_note(*source), {}, &how));
}

const ColumnsSolved& DiracSolver::last() const { return parts_->last; }
const ActionPtr& DiracSolver::action() const { return parts_->on.action; }
const SolverSettings& DiracSolver::settings() const { return parts_->settings; }
const Lattice& DiracSolver::lattice() const { return parts_->on.lattice; }
PropagatorNote DiracSolver::note() const { return parts_->on.note; }
const FermionLinks& DiracSolver::links() const { return parts_->on.links; }
std::string DiracSolver::gauge_name() const { return parts_->name_of_gauge(); }
PropagatorSolver& DiracSolver::of_columns(int columns, double solves) {
  return parts_->solver(columns, solves);
}
PropagatorSolver& DiracSolver::through_sink() { return parts_->through_sink(); }
std::string DiracSolver::name() const { return name_of(parts_->resolved_for(parts_->on.action->columns())); }

}  // namespace plaq

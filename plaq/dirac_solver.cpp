#include "plaq/dirac_solver.hpp"

#include <algorithm>
#include <map>

#include "comms/grid/shared_lattice.hpp"
#include "plaq/links_of.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "quarks/solve/solver_faults.hpp"

namespace plaq {
struct DiracSolver::Parts {
  ActionPtr action;
  GaugeField gauge;
  SolverSettings settings;
  ColumnsSolved last = {};
  std::map<int, std::unique_ptr<PropagatorSolver>> solvers = {};  // by columns

  SolverSettings resolved_for(int columns) const {
    SolverSettings mine = settings;
    if (mine.multigrid) {
      mine = with_multigrid(mine, *mine.multigrid);
      mine.multigrid->solves = columns;
    }
    return resolved(mine, *action, gauge.lattice().location());
  }

  PropagatorSolver& solver(int columns) {
    auto& made = solvers[columns];
    if (made) return *made;
    SolverSettings mine = resolved_for(columns);
    // settings.columns is about the columns of a propagator alone.
    if (columns != action->columns()) mine.columns.reset();
    const int together = columns_at_once(mine, columns, action->slices());
    made = std::make_unique<PropagatorSolver>(links_of(gauge), action, mine, together);
    return *made;
  }

  // Columns beyond those of a propagator go in parts of that size.
  SpinorField solve(const PropagatorSolver::FillSource& fill, int columns, PropagatorNote note) {
    const int each = std::min(columns, action->columns());
    const GaugeFileIdentity file = gauge.file();
    const std::string where = file.file.empty() ? "gauge field" : file.file;
    SpinorField found(gauge.lattice(), {.columns = columns, .spins = action->spins()});
    last = {};
    for (int first = 0; first < columns; first += each) {
      const int count = std::min(each, columns - first);
      std::vector<std::string> names;
      for (int i = 0; i < count; ++i) names.push_back("column " + std::to_string(first + i));
      const PropagatorSolver::FillSource part = [&](Field& b, int column) { fill(b, first + column); };
      Field quark(found.field().geometry_ptr(), solver(count).quark_spec(count));
      const ColumnReport report = solver(count).solve(quark, part, where, nullptr, names);
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

DiracSolver::DiracSolver(ActionPtr action, const GaugeField& gauge, const SolverSettings& settings)
    : parts_(std::make_unique<Parts>(Parts{std::move(action), gauge, settings})) {
  if (!parts_->action) throw Error(ErrorKind::usage, "DiracSolver: there is no action");
  if (const auto fault = fault_of(settings, *parts_->action))
    throw Error(ErrorKind::usage, "DiracSolver: settings." + fault->parameter + ": " + fault->what);
  if (settings.modes)
    throw Error(ErrorKind::usage,
                "DiracSolver: settings.modes: low modes are read from files by job files and Python alone");
}
DiracSolver::~DiracSolver() = default;
DiracSolver::DiracSolver(DiracSolver&&) noexcept = default;
DiracSolver& DiracSolver::operator=(DiracSolver&&) noexcept = default;

Propagator DiracSolver::propagator(const SourcePtr& source) {
  if (!source) throw Error(ErrorKind::usage, "DiracSolver::propagator: there is no source");
  source->expect_on(lattice().extents());
  const auto fill = [&](Field& b, int first_column) { source->fill(b, first_column); };
  SpinorField found = parts_->solve(fill, parts_->action->columns(), source_note(*source));
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
const Lattice& DiracSolver::lattice() const { return parts_->gauge.lattice(); }
std::string DiracSolver::name() const { return name_of(parts_->resolved_for(parts_->action->columns())); }

}  // namespace plaq

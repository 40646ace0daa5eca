#include "quarks/solve/multi_mass_solver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"

namespace plaq {

MultiMassSolver::MultiMassSolver(const FermionLinks& links, std::vector<ActionPtr> actions,
                                 const SolverSettings& settings, int together, const SetupPaths& setup,
                                 std::optional<int> columns)
    : links_(links),
      version_(links),
      actions_(std::move(actions)),
      settings_(settings),
      together_(together),
      columns_(columns.value_or(actions_.front()->columns())),
      setup_(setup) {
  if (masses() == 1) {
    solvers_.push_back(std::make_unique<PropagatorSolver>(solver_at(0, setup, {})));
    release_links();
    return;
  }
  if (actions_.front()->needs_bounds()) {
    bounds_ = actions_.front()->measure_bounds(links);
    for (ActionPtr& action : actions_) action = action->within(*bounds_);
  }
  if (settings_.multigrid) {  // one setup serves all masses
    settings_.multigrid->solves *= static_cast<double>(masses());
    made_ = set_up();
    return;
  }
  for (std::size_t mass = 0; mass < masses(); ++mass)
    solvers_.push_back(std::make_unique<PropagatorSolver>(solver_at(mass, setup, {})));
  if (only().takes_guesses(columns_) && ShiftedMasses::helps(settings_, actions_)) {
    const MemoryName name("multi-shift solve");
    shifted_ = std::make_unique<ShiftedMasses>(links, actions_, settings_, columns_);
  }
  release_links();
}

PropagatorSolver MultiMassSolver::solver_at(std::size_t mass, const SetupPaths& setup,
                                            MadeMultigrid made) const {
  version_.expect_unchanged("the solver of many masses");
  return {links_, actions_[mass], settings_, together_, setup, std::move(made)};
}

void MultiMassSolver::release_links() { links_.gauge = links_.clover_links = {}; }

FieldSpec MultiMassSolver::quark_spec() const {
  return actions_.front()->quark_spec(columns(), links_.queue.location());
}

const std::optional<SpectralBounds>& MultiMassSolver::measured_bounds() const {
  return bounds_ || solvers_.empty() ? bounds_ : solvers_.front()->measured_bounds();
}

// Vectors that were filtered at a heavy mass miss the lowest modes, on which the light ones depend.
MadeMultigrid MultiMassSolver::set_up() const {
  const auto least = std::min_element(actions_.begin(), actions_.end(),
                                      [](const auto& a, const auto& b) { return a->mass() < b->mass(); });
  return solver_at(static_cast<std::size_t>(least - actions_.begin()), setup_, {}).take_multigrid();
}

std::vector<ColumnReport> MultiMassSolver::solve(std::vector<Field>& quarks,
                                                 const PropagatorSolver::FillSource& fill,
                                                 const std::string& file, Field* midpoint,
                                                 const AfterSolve& after) {
  std::vector<ColumnReport> reports;
  if (solvers_.empty()) {
    solve_with_multigrid(quarks, fill, file, after, reports);
    return reports;
  }
  std::vector<std::vector<std::int64_t>> iterations;
  if (shifted_) iterations = guess(quarks, fill);
  for (std::size_t mass = 0; mass < masses(); ++mass) {
    if (masses() > 1) log::info(fmt::format("mass {:g}", actions_[mass]->mass()));
    ColumnReport& report = reports.emplace_back(solvers_[mass]->solve(quarks[mass], fill, file, midpoint));
    warn_of_slices(report, file);
    for (std::size_t i = 0; shifted_ && i < report.iterations.size(); ++i)
      report.iterations[i] += iterations[mass][i];
    after(mass, *solvers_[mass]);
  }
  return reports;
}

void MultiMassSolver::solve_with_multigrid(std::vector<Field>& quarks,
                                           const PropagatorSolver::FillSource& fill, const std::string& file,
                                           const AfterSolve& after, std::vector<ColumnReport>& reports) {
  SetupPaths rest;
  rest.modes = setup_.modes;
  for (std::size_t mass = 0; mass < masses(); ++mass) {
    // A setup that was of no use at the mass before does not exist any more.
    if (!made_.multigrid) made_ = set_up();
    const SetupPaths& paths = made_.multigrid ? rest : setup_;
    PropagatorSolver solver = solver_at(mass, paths, std::move(made_));
    log::info(fmt::format("mass {:g}", actions_[mass]->mass()));
    reports.push_back(solver.solve(quarks[mass], fill, file));
    warn_of_slices(reports.back(), file);
    after(mass, solver);
    made_ = solver.take_multigrid();
  }
}

std::vector<std::vector<std::int64_t>> MultiMassSolver::guess(std::vector<Field>& quarks,
                                                              const PropagatorSolver::FillSource& fill) {
  const MemoryName name("source and solution");
  Field b(quarks.front().geometry_ptr(), quark_spec());
  fill(b, 0);
  SolveStop stop(links_.grid->comm());
  return shifted_->solve(quarks, b, stop);
}

}  // namespace plaq

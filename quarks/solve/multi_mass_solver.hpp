// Quark propagators on one gauge field at one mass or at each of many.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "quarks/solve/propagator_solver.hpp"
#include "quarks/solve/shifted_masses.hpp"

namespace plaq {

/// Solves at one mass or at many. With multigrid, the setup at the least mass is shifted to the others,
/// whatever was solved before: a source has the same bits wherever a job resumes. Without multigrid the
/// operators of all masses exist together. If ShiftedMasses helps, all masses are solved in one Krylov space;
/// each is then measured, and improved if it misses its tolerance, by a solver of its own.
class MultiMassSolver {
 public:
  /// Actions that differ in their masses alone; `together` columns are solved at a time. `settings` say for
  /// how many right-hand sides at each mass a multigrid setup is. The grid of `links` must outlive this
  /// object. With multigrid the links are kept, not copied, and solve() throws Error(usage) after they have
  /// changed; without it the solvers have their own copies. `columns` of a source are solved for; none: all.
  /// Collective.
  MultiMassSolver(const FermionLinks& links, std::vector<ActionPtr> actions, const SolverSettings& settings,
                  int together, const SetupPaths& setup, std::optional<int> columns = {});

  std::size_t masses() const { return actions_.size(); }
  /// Solver of the one mass.
  PropagatorSolver& only() { return *solvers_.front(); }
  int columns() const { return columns_; }
  FieldSpec quark_spec() const;
  const std::optional<SpectralBounds>& measured_bounds() const;

  /// Called after the solve at each mass, with its solver.
  using AfterSolve = std::function<void(std::size_t mass, const PropagatorSolver& solver)>;
  /// Solves for the quark fields of all columns at every mass, in the order of the actions, like
  /// PropagatorSolver::solve. `midpoint` is for one mass only. Collective.
  std::vector<ColumnReport> solve(std::vector<Field>& quarks, const PropagatorSolver::FillSource& fill,
                                  const std::string& file, Field* midpoint, const AfterSolve& after);

 private:
  PropagatorSolver solver_at(std::size_t mass, const SetupPaths& setup, MadeMultigrid made) const;
  MadeMultigrid set_up() const;
  void release_links();
  void solve_with_multigrid(std::vector<Field>& quarks, const PropagatorSolver::FillSource& fill,
                            const std::string& file, const AfterSolve& after,
                            std::vector<ColumnReport>& reports);
  std::vector<std::vector<std::int64_t>> guess(std::vector<Field>& quarks,
                                               const PropagatorSolver::FillSource& fill);

  FermionLinks links_;  // without fields, unless solvers are made of them later
  VersionOfLinks version_;
  std::vector<ActionPtr> actions_;
  SolverSettings settings_;
  int together_, columns_;
  SetupPaths setup_;
  std::optional<SpectralBounds> bounds_;                    // of many masses, where they are measured
  std::vector<std::unique_ptr<PropagatorSolver>> solvers_;  // of each mass; none where they share multigrid
  std::unique_ptr<ShiftedMasses> shifted_;                  // null where each mass is solved alone
  MadeMultigrid made_;
};

}  // namespace plaq

// Whole solves as rows of a study: the solvers on one gauge field at one mass after the other.
#pragma once

#include <memory>
#include <vector>

#include "jobs/run/job_context.hpp"
#include "jobs/study/study_spec.hpp"
#include "quarks/solve/system_solver.hpp"
#include "settings/solver/field_files.hpp"

namespace plaq::jobs {

class Solves {
 public:
  /// Everything must outlive this object.
  /// @param setup  files of multigrid and low modes of the gauge field
  Solves(const JobContext& context, const StudySpec& spec, const FermionLinks& links, SetupPaths setup);

  /// Adds a row for each solver, number of right-hand sides and batch of them. A stop request between two
  /// solvers throws Error(stopped). Collective.
  /// @param actions  at all masses, with the spectral bounds of the links
  void add_rows_of(int mass, const std::vector<ActionPtr>& actions, Bench& bench);

 private:
  struct Fields {
    Field b, x, exact;  // exact: x0, where errors are asked for
  };

  void add_solver(std::size_t number, int rhs, int mass, const std::vector<ActionPtr>& actions,
                  const std::shared_ptr<CloverField>& clover, Bench& bench);
  std::unique_ptr<SystemSolver> make_solver(const ActionPtr& action, const SolverSettings& spec, int rhs,
                                            std::shared_ptr<CloverField> clover, MadeMultigrid made) const;
  Row solved(SystemSolver& solver, Fields& fields) const;
  double slowest(double seconds) const { return context_.grid->comm().max(seconds); }

  const JobContext& context_;
  const StudySpec& spec_;
  const FermionLinks& links_;
  SetupPaths setup_;
  std::vector<MadeMultigrid> made_;  // of each solver, where all masses have one setup
};

}  // namespace plaq::jobs

// The Dirac solver of a job, on one of its gauge fields: of all columns of a source, or of any right-hand sides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/dirac_solver.hpp"
#include "jobs/dirac/setup_keys.hpp"
#include "jobs/dirac/solve_stop.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

// How the columns of one source were solved, one after the other or together.
struct ColumnReport {
  std::vector<double> true_residuals;             // of each column
  std::vector<std::int64_t> iterations, updates;  // of each column
  std::int64_t attempts = 0;                      // the most solvers that any took
  // ||(b - M x)(t)|| / ||x(t)|| on each time slice of the lattice, the largest of all columns.
  std::vector<double> slice_residuals;
};

/// Warns of slices on which the residual is more than 0.001 of the solution: it is not determined there by a tolerance of the
/// whole residual.
void warn_of_slices(const ColumnReport& report, const std::string& file);
/// The larger of both on each slice; `to` may be empty.
void add_slices(std::vector<double>& to, const std::vector<double>& from);

class DiracSystem {
 public:
  // From the tables [action] and [solver]; `links`: action_links() of the field. `setup`: where that of multigrid is
  // found and kept, which is made for the solves of so many sources.
  DiracSystem(const JobContext& context, const Background& links, const SetupPaths& setup = {},
              int sources = 1);
  // The same of the action at one of the masses of a job. `made`: in place of a setup (DiracSolver).
  DiracSystem(const JobContext& context, const Background& links, const ActionParameters& action,
              const SetupPaths& setup, int sources, MadeMultigrid made = {});
  // Of `columns` right-hand sides, all solved together, `solves` of them in all.
  DiracSystem(const JobContext& context, const Background& links, int columns, const SetupPaths& setup,
              int solves);

  int columns() const { return columns_; }  // of a source: 12, of staggered quarks 3
  // Of the quark field of all columns: four dimensions, double precision, both parities, at the job's
  // location.
  FieldSpec quark_spec() const;

  // Overwrites b with the sources of columns first_column to first_column + b.subfields() - 1.
  using FillSource = std::function<void(Field& b, int first_column)>;
  // Collective. The quark field of all columns, quark_spec(), which holds the first guess where all are solved together in
  // four dimensions. Shows progress in decades of the residual. Throws
  // Error(not_converged), which names the outcomes, unless all have reached the tolerance, or Error(stopped)
  // (SolveStop). `file`: the gauge field. `midpoint`: where not null, such a field in the middle of the fifth
  // dimension. `names`: of the columns, for errors; none: spin and color of the source, which the log tells one by one.
  ColumnReport solve(Field& quark, const FillSource& fill, const std::string& file, Field* midpoint = nullptr,
                     const std::vector<std::string>& names = {});

  const SolverSpec& spec() const { return solver_->spec(); }
  const DiracMultigrid* multigrid() const { return solver_->multigrid(); }
  MadeMultigrid take_multigrid() { return solver_->take_multigrid(); }  // nothing may be solved afterwards
  bool takes_guesses() const {
    return together_ == columns_ && solver_->spec_of_fields() == solver_->quark_spec();
  }
  const std::optional<SpectralBounds>& measured_bounds() const { return solver_->measured_bounds(); }

 private:
  struct Part {
    int first;
    const FillSource& fill;
    const std::string& file;
    const std::vector<std::string>& names;  // of all columns
    bool few;                               // so that each has a line in the log
  };
  void solve_part(Field& quark, Field* midpoint, const Part& part, SolveStop& stop, ColumnReport& report);
  FullSolveReport solve_fields(Field& x, const Field& b, int first_column, SolveStop& stop);

  const JobContext& context_;
  int columns_ = 0, together_ = 0;
  std::unique_ptr<DiracSolver> solver_;
};

}  // namespace plaq::jobs

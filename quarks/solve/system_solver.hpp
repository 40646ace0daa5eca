// Solves M x = b for quarks of any discretisation on one gauge field. Many solvers may exist
// at once, also on one gauge field.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "quarks/multigrid/dirac_multigrid.hpp"
#include "quarks/operator/dirac_operators.hpp"
#include "solvers/mixed/deflation.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq {

/// Multigrid that was set up at some mass, for a solver at another one.
struct MadeMultigrid {
  std::unique_ptr<DiracMultigrid> multigrid;  // null: there is none
  double mass = 0;
  VersionOfLinks links = {};
};

using SolveWatch = std::function<void(int iteration, const std::vector<double>& residual_norms)>;

class SystemSolver {
 public:
  /// Makes the operators, and sets up multigrid if the settings have it. If multigrid does not reduce
  /// residuals, the next attempts do without it, and a warning says so. Inner operators are in temporal gauge
  /// as DiracOperators decide. The links may have any location and precision. Those of the hops are copied: a
  /// change of the gauge field does not change this solver, which stays valid for the links that
  /// it was given. FermionLinks::clover_links must not change. Collective. Throws
  /// LinkStorageError on every rank if links
  /// cannot be stored as asked for, Error(usage) if `clover` or `made` are of other links, and Error if a
  /// clover block has no inverse, or as read_deflation() and SetupFile do.
  ///
  /// @param batch   right-hand sides that are solved together
  /// @param clover  Action::clover_field() of these links, to share it between solvers; if null,
  ///   made here and released after use
  /// @param setup   files of the multigrid setup and of low modes
  /// @param made    multigrid of the same links and action at another mass, in place of a setup
  SystemSolver(const FermionLinks& links, const ActionPtr& action, const SolverSettings& settings, int batch,
               std::shared_ptr<CloverField> clover = nullptr, const SetupPaths& setup = {},
               MadeMultigrid made = {});
  SystemSolver(const SystemSolver&) = delete;

  /// Solves M x = b. Both fields are of spec_of_fields(), and x holds the first guess. Every right-hand side
  /// is measured by M in double precision with links of 18 reals. Attempts in the report have the
  /// names of attempts_of(). Collective.
  FullSolveReport solve(Field& x, const Field& b, const SolveWatch& watch = {});
  /// Solves with another limit of iterations: a few of them launch every kernel once.
  FullSolveReport solve(Field& x, const Field& b, int max_iterations, const SolveWatch& watch = {});
  /// Solves M x = b approximately, from x = 0, whatever x holds: x is a function of the links, of b and of
  /// the settings. With iterations the first attempt alone makes as many, fewer only where it can go no
  /// further; with a tolerance this is a solve with all attempts; with modes x on the even sites is the part
  /// of the solution in the low modes. There is no limit on time slices.
  FullSolveReport approximate(Field& x, const Field& b, const Approximation& how,
                              const SolveWatch& watch = {});

  /// b = M x in double precision with links of 18 reals.
  void apply(Field& b, const Field& x) { operators_->residual_operator().apply(b, x); }
  const SolverSettings& settings() const { return settings_; }
  const ActionPtr& action() const { return action_; }
  /// True if the inner operator of the first attempt is in temporal gauge.
  bool temporal_gauge() const { return inner_->conversion().gauge_frame() != nullptr; }
  FieldSpec spec_of_fields() const { return action_->full_spec(batch_, queue_.location()); }
  /// Sources and quark fields in four dimensions, as HoppingTerm has them.
  FieldSpec quark_spec() const { return action_->quark_spec(batch_, queue_.location()); }
  void make_source(Field& b, const Field& quark_source) {
    operators_->high_precision().make_source(b, quark_source);
  }
  void to_4d(Field& q, const Field& x) { operators_->high_precision().to_4d(q, x); }
  void midpoint_to_4d(Field& q, const Field& x) { operators_->high_precision().midpoint_to_4d(q, x); }
  void make_current_field(Field& x, const Field& quark_source) {
    operators_->high_precision().make_current_field(x, quark_source);
  }
  /// Null without multigrid, also if its setup found none that helps.
  const DiracMultigrid* multigrid() const { return multigrid_.get(); }
  /// For a solver at another mass. Nothing may be solved here afterwards.
  MadeMultigrid take_multigrid();
  /// Spectral bounds if they were measured on these links.
  const std::optional<SpectralBounds>& measured_bounds() const { return operators_->measured_bounds(); }

 private:
  void make_multigrid(const SetupPaths& setup, MadeMultigrid made);
  std::unique_ptr<Solver> make_solver(const SolverSettings& attempt);
  FullSolveReport solve_by(Solver& solver, Field& x, const Field& b, const SolverParameters& parameters);
  std::shared_ptr<StoredOperator> operator_of(const SolverSettings& attempt) const;

  const ProcessGrid* grid_;
  ActionPtr action_;
  SolverSettings settings_;
  Queue queue_;
  int batch_;
  std::unique_ptr<DiracOperators> operators_;
  std::shared_ptr<StoredOperator> outer_, inner_;  // inner: of the first attempt, the outer without a scheme
  std::unique_ptr<DiracMultigrid> multigrid_;
  std::unique_ptr<Deflation> deflation_;  // null without
  double setup_mass_ = 0;                 // that it was set up at
  std::unique_ptr<Solver> solver_;
  SolverSettings first_attempt_;
  bool has_fallback_ = false;
};

// "1: bicgstab, half 12 in double 18, reliable updates 0.1: stagnation after 120 iterations; 2: ...".
std::string describe_attempts(const FullSolveReport& report);

}  // namespace plaq

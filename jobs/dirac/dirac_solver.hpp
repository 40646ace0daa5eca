// Kernels and solvers joined: M x = b for quarks of any discretisation on one gauge field, from explicit
// numbers. Many of them may be there at once, also on one gauge field.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "jobs/dirac/dirac_multigrid.hpp"
#include "jobs/dirac/dirac_operators.hpp"
#include "solvers/mixed/deflation.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {

// Multigrid that was set up at some mass, on its way to a solver at another one.
struct MadeMultigrid {
  std::unique_ptr<DiracMultigrid> multigrid;  // null: there is none
  double mass = 0;
};

using SolveWatch = std::function<void(int iteration, const std::vector<double>& residual_norms)>;

class DiracSolver {
 public:
  // Collective. `gauge`: without halo, any location and precision, 18 reals; it is copied. `clover`: its
  // clover field (Action::clover_field), to share it between solvers; made here where it is null and needed,
  // and let go of when all blocks are there. The grid must outlive this object. Throws where links cannot be
  // stored as asked for, or a clover block has no inverse, on every rank. Inner operators are in temporal gauge
  // as DiracOperators say. Sets multigrid up where the spec has it; where that does not reduce residuals, the
  // next attempts do without it, which a warning says. `setup`: where that is found and kept, and low
  // modes where the spec has them, as read_deflation() says. `made`: of the same field and
  // action at another mass, in place of a setup.
  DiracSolver(const ProcessGrid& grid, const Field& gauge, const ActionParameters& parameters,
              const SolverSpec& spec, const Queue& queue, std::shared_ptr<Transport> transport, int batch,
              std::shared_ptr<CloverField> clover = nullptr, const SetupPaths& setup = {},
              MadeMultigrid made = {});
  // The same; clover_links of `links` are not copied.
  DiracSolver(const Background& links, const ActionParameters& parameters, const SolverSpec& spec, int batch,
              std::shared_ptr<CloverField> clover = nullptr, const SetupPaths& setup = {},
              MadeMultigrid made = {});
  DiracSolver(const DiracSolver&) = delete;

  // Collective. x and b: spec_of_fields(), x holds the first guess. Every right-hand side is measured by M in
  // double with links of 18 reals. The attempts of the report have the names of attempts_of().
  FullSolveReport solve(Field& x, const Field& b, const SolveWatch& watch = {});
  // The same with another limit than the spec's: a few iterations launch every kernel once.
  FullSolveReport solve(Field& x, const Field& b, int max_iterations, const SolveWatch& watch = {});

  // b = M x in double with links of 18 reals.
  void apply(Field& b, const Field& x) { operators_->residual_operator().apply(b, x); }
  const SolverSpec& spec() const { return spec_; }
  const ActionParameters& parameters() const { return parameters_; }
  // Whether the inner operator of the first attempt is.
  bool temporal_gauge() const { return inner_->conversion().gauge_frame() != nullptr; }
  FieldSpec spec_of_fields() const { return parameters_->full_spec(batch_, queue_.location()); }
  // Sources and quark fields in four dimensions, as HoppingTerm has them.
  FieldSpec quark_spec() const { return parameters_->quark_spec(batch_, queue_.location()); }
  void make_source(Field& b, const Field& quark_source) { operators_->exact().make_source(b, quark_source); }
  void quark(Field& q, const Field& x) { operators_->exact().quark(q, x); }
  void mid_quark(Field& q, const Field& x) { operators_->exact().mid_quark(q, x); }
  // Null without one: also where its setup found none that is worth it.
  const DiracMultigrid* multigrid() const { return multigrid_.get(); }
  // For solvers at other masses; nothing may be solved here afterwards.
  MadeMultigrid take_multigrid();
  // Where they were measured on this field.
  const std::optional<SpectralBounds>& measured_bounds() const { return operators_->measured_bounds(); }

 private:
  void make_multigrid(const SetupPaths& setup, MadeMultigrid made);
  std::unique_ptr<Solver> make_solver(const SolverSpec& attempt);
  std::shared_ptr<DiracOperator> operator_of(const SolverSpec& attempt) const;

  const ProcessGrid* grid_;
  ActionParameters parameters_;
  SolverSpec spec_;
  Queue queue_;
  int batch_;
  std::unique_ptr<DiracOperators> operators_;
  std::shared_ptr<DiracOperator> outer_, inner_;  // inner: of the first attempt, the outer without a scheme
  std::unique_ptr<DiracMultigrid> multigrid_;
  std::unique_ptr<Deflation> deflation_;  // null without
  double setup_mass_ = 0;                 // that it was set up at
  std::unique_ptr<Solver> solver_;
};

// "1: bicgstab, half 12 in double 18, reliable updates 0.1: stagnation after 120 iterations; 2: ...".
std::string describe_attempts(const FullSolveReport& report);

}  // namespace plaq::jobs

// The Dirac solver of a job, on one of its gauge fields.
#pragma once

#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/dirac_solver.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

class DiracSystem {
 public:
  // From the tables [action] and [solver]; `gauge` without halo, any location and precision.
  DiracSystem(const JobContext& context, const Field& gauge, int batch);

  // Double precision, both parities, at the job's location. Shows progress in decades of the residual.
  FullSolveReport solve(Field& x, const Field& b);
  FieldSpec spec_of_fields() const { return solver_->spec_of_fields(); }
  const SolverSpec& spec() const { return solver_->spec(); }

 private:
  const JobContext& context_;
  std::unique_ptr<DiracSolver> solver_;
};

// A line for each right-hand side and one of what ran; `labels`: of the right-hand sides.
void log_solve(const FullSolveReport& report, const SolverSpec& spec, const std::vector<std::string>& labels);
// Throws Error(not_converged), which names the outcomes, unless all have reached the tolerance. `file`: the
// gauge field.
void expect_convergence(const FullSolveReport& report, const std::string& file,
                        const std::vector<std::string>& labels);

}  // namespace plaq::jobs

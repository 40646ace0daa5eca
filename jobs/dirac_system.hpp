// The Dirac operator of a job with its preconditioned form and its solver, ready to solve M x = b.
#pragma once

#include <memory>

#include "jobs/job_context.hpp"
#include "kernels/dirac/wilson.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {

// The table [action].
WilsonParameters wilson_parameters(const JobFile& job);

class DiracSystem {
 public:
  // From the tables [action] and [solver]; `gauge` without halo, any location and precision.
  DiracSystem(const JobContext& context, const Field& gauge, int batch);

  // Double precision, both parities, at the job's location. Shows progress in decades of the residual.
  FullSolveReport solve(Field& x, const Field& b);
  FieldSpec field_spec(int batch) const { return judge_->spec(batch); }
  const WilsonParameters& parameters() const { return parameters_; }

 private:
  const JobContext& context_;
  WilsonParameters parameters_;
  WilsonHoppingPtr hopping_;
  std::unique_ptr<WilsonOperator> full_, judge_;
  std::unique_ptr<WilsonSchur> schur_;
  std::unique_ptr<Solver> solver_;
};

}  // namespace plaq::jobs

// A solver as a linear operator: what preconditioners and smoothers are.
#pragma once

#include "solvers/solver.hpp"

namespace plaq {

// out = approximately A^-1 in, as far as the solver comes with these parameters from a zero guess; where it
// stops is measured by its iterated residual. Not linear to rounding unless it runs a fixed number of MR or
// Chebyshev steps: for flexible methods. It has no adjoint.
class ApproximateInverse final : public LinearOperator {
 public:
  // `solver` is for `a`; both must outlive this object.
  ApproximateInverse(Solver& solver, LinearOperator& a, const ProcessGrid& grid, SolverParameters parameters);

  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int) const override { return last_; }  // of the last application

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  Solver& solver_;
  LinearOperator& a_;
  const ProcessGrid& grid_;
  SolverParameters parameters_;
  Work last_;
};

}  // namespace plaq

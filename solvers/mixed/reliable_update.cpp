#include "solvers/mixed/reliable_update.hpp"

#include "core/system/error.hpp"
#include "solvers/krylov/krylov_loop.hpp"

namespace plaq {

ReliableUpdates::ReliableUpdates(LinearOperator& outer, std::unique_ptr<KrylovMethod> method,
                                 const ProcessGrid& grid, int batch, const MethodSettings& settings,
                                 VectorConversion conversion)
    : outer_(outer),
      method_(std::move(method)),
      conversion_(std::move(conversion)),
      delta_(settings.delta),
      deflation_(settings.deflation),
      batch_(grid, outer.queue(), batch),
      r_(outer.geometry(), outer.spec(batch)),
      low_x_(method_->a().geometry(), method_->a().spec(batch)),
      low_r_(method_->a().geometry(), method_->a().spec(batch)) {
  require(delta_ > 0 && delta_ < 1, "delta of reliable updates is between 0 and 1");
  conversion_.check(outer, method_->a());
}

SolveReport ReliableUpdates::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  KrylovProblem problem{outer_, *method_, batch_,  x,      b,
                        r_,     &low_x_,  &low_r_, delta_, conversion_.gauge_frame()};
  problem.deflation = deflation_;
  return run_krylov(problem, parameters);
}

}  // namespace plaq

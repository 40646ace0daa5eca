#include "solvers/reliable_update.hpp"

#include "core/error.hpp"
#include "solvers/krylov_loop.hpp"

namespace plaq {

ReliableUpdates::ReliableUpdates(LinearOperator& outer, std::unique_ptr<KrylovMethod> method,
                                 const ProcessGrid& grid, int batch)
    : outer_(outer),
      method_(std::move(method)),
      batch_(grid, outer.queue(), batch),
      r_(outer.geometry(), outer.spec(batch)),
      low_x_(method_->a().geometry(), method_->a().spec(batch)),
      low_r_(method_->a().geometry(), method_->a().spec(batch)) {
  require(outer.queue().location() == method_->a().queue().location() &&
              outer.queue().stream() == method_->a().queue().stream(),
          "inner and outer operator of a solver work on one queue");
  expect_frames(outer, method_->a());
}

SolveReport ReliableUpdates::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  return run_krylov({outer_, *method_, batch_, x, b, r_, &low_x_, &low_r_, parameters.delta}, parameters);
}

}  // namespace plaq

#include "multigrid/cycle/fixed_gcr.hpp"

#include <utility>

#include "core/operator/linear_operator.hpp"

namespace plaq {

FixedGcr::FixedGcr(const ProcessGrid& grid, std::unique_ptr<SchurOperator> reduced,
                   std::unique_ptr<LinearOperator> preconditioner, int batch, int iterations)
    : iterations_(iterations),
      reduced_(std::move(reduced)),
      preconditioner_(std::move(preconditioner)),
      batch_(grid, reduced_->queue(), batch),
      gcr_(*reduced_, batch, iterations, preconditioner_.get()),
      r_(reduced_->geometry(), reduced_->spec(batch)),
      solution_(reduced_->geometry(), reduced_->spec(batch)) {}

// Counts operators alone.
Work FixedGcr::work(int batch) const {
  Work work = reduced_->work(batch);
  if (preconditioner_ != nullptr) work += preconditioner_->work(batch);
  return (iterations_ + 1) * work;  // once to reduce and to reconstruct
}

int FixedGcr::capturable(int batch) {
  const int below = preconditioner_ != nullptr ? preconditioner_->capturable(batch) : 0;
  return both_states(reduced_->capturable(batch), below);
}

void FixedGcr::solve(Field& e, const Field& b, const ActiveSet& active) {
  reduced_->reduce_source(r_, b);
  gcr_.queue_steps(batch_, active, solution_, r_, iterations_);
  reduced_->reconstruct(e, solution_, b);
}

}  // namespace plaq

#include "multigrid/levels/redistributed_solver.hpp"

#include <utility>

namespace plaq {

RedistributedSolver::RedistributedSolver(std::shared_ptr<const Agglomeration> few, const FieldSpec& vectors,
                                         const Queue& queue, std::unique_ptr<CoarseSolver> solver,
                                         const Queue& there)
    : few_(std::move(few)),
      batch_(vectors.batch()),
      queue_(queue),
      there_(there),
      solver_(std::move(solver)),
      moves_(few_->redistribution(vectors, there.location())) {
  require((solver_ != nullptr) == few_->here(),
          "a redistributed solver belongs on the ranks that have its level, and only there");
  if (few_->here()) {
    FieldSpec spec = vectors;
    spec.location = there.location();
    b_ = Field(few_->geometry(), spec);
    e_ = Field(few_->geometry(), spec);
  }
  known_ = few_->on_fewer_ranks([&] { return asked(); });
}

// It grows evenly with right-hand sides: matrices move once for all of them.
Work RedistributedSolver::work(int batch) const {
  const Work more = known_.of_all + -1.0 * known_.of_one;
  const double share = batch_ == 1 ? 0 : (batch - 1.0) / (batch_ - 1.0);
  return few_->share_of_ranks() * (known_.of_one + share * more);
}

void RedistributedSolver::solve(Field& e, const Field& b, const ActiveSet& active) {
  const bool here = few_->here();
  moves_.gather(here ? &b_ : nullptr, b, active, queue_);
  known_ = few_->on_fewer_ranks([&] {
    solver_->solve(e_, b_, active);
    return asked();
  });
  bring_back(e, here ? &e_ : nullptr, active);
}

void RedistributedSolver::bring_back(Field& here, const Field* there, const ActiveSet& active) {
  moves_.scatter(here, there, active, few_->here() ? there_ : queue_);
}

}  // namespace plaq

#include "multigrid/levels/moved_solver.hpp"

#include <utility>

namespace plaq {

MovedSolver::MovedSolver(std::shared_ptr<const Agglomeration> few, const FieldSpec& vectors,
                         const Queue& queue, std::unique_ptr<CoarseSolver> solver, const Queue& there)
    : few_(std::move(few)),
      queue_(queue),
      there_(there),
      solver_(std::move(solver)),
      moves_(few_->redistribution(vectors, there.location())) {
  require((solver_ != nullptr) == few_->here(),
          "a moved solver belongs on the ranks that have its level, and only there");
  if (!few_->here()) return;
  FieldSpec spec = vectors;
  spec.location = there.location();
  b_ = Field(few_->geometry(), spec);
  e_ = Field(few_->geometry(), spec);
}

void MovedSolver::solve(Field& e, const Field& b, const ActiveSet& active) {
  const bool here = few_->here();
  moves_.gather(here ? &b_ : nullptr, b, active, queue_);
  iterations_ = few_->on_fewer([&] {
    solver_->solve(e_, b_, active);
    return solver_->iterations();
  });
  moves_.scatter(e, here ? &e_ : nullptr, active, here ? there_ : queue_);
}

}  // namespace plaq

#include "dynamics/quark/multigrid_solves.hpp"

#include <algorithm>
#include <utility>

#include "kernels/dirac/force/pseudofermion.hpp"
#include "solvers/krylov/gcr.hpp"
#include "solvers/mixed/reliable_update.hpp"

namespace plaq {

// All that is made of one version of the links.
struct MultigridSolves::Made {
  std::unique_ptr<DiracMatrix> matrix;
  std::unique_ptr<DiracMultigrid> multigrid;
  std::unique_ptr<Solver> solver;
  Field y, turned;
};

MultigridSolves::MultigridSolves(const ActionPtr& action, const MultigridOptions& options, double tolerance)
    : action_(action) {
  settings_.method = SolverMethod::gcr;
  settings_.preconditioning = Preconditioning::even_odd_asymmetric;
  settings_.inner = {Precision::single_precision, 12};
  settings_.multigrid = options;
  settings_.tolerance = tolerance;
}

MultigridSolves::~MultigridSolves() = default;

void MultigridSolves::release() {
  made_.reset();
  clover_.reset();
  links_.reset();
}

void MultigridSolves::take(const FermionLinks& links, std::shared_ptr<CloverField> clover,
                           LinearOperator& exact, LinearOperator& inner) {
  links_ = links;
  clover_ = std::move(clover);
  exact_ = &exact;
  inner_ = &inner;
}

void MultigridSolves::make() {
  auto made = std::make_unique<Made>();
  made->matrix = action_->on(*links_, clover_);
  const int before = memory_.report.rounds;
  made->multigrid = std::make_unique<DiracMultigrid>(*made->matrix, action_, settings_, memory_);
  rounds_ += std::max(0, memory_.report.rounds - before);
  made->solver = std::make_unique<ReliableUpdates>(
      *exact_, std::make_unique<Gcr>(*inner_, 1, settings_.restart, made->multigrid.get()), *links_->grid, 1);
  made->y = Field(exact_->geometry(), exact_->spec(1));
  made->turned = Field(exact_->geometry(), exact_->spec(1));
  made_ = std::move(made);
}

std::optional<std::int64_t> MultigridSolves::solve(Field& x, const Field& b, double tolerance,
                                                   int max_iterations) {
  if (!made_) make();
  const Queue& queue = exact_->queue();
  auto& [matrix, multigrid, solver, y, turned] = *made_;
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = max_iterations;
  parameters.zero_guess = true;
  // turned <- i sign gamma5 from
  const auto turn = [&](const Field& from, double sign) {
    queue.zero_async(turned.data(0, 0), turned.bytes());
    add_twist(turned, from, sign, 0, queue);
  };
  turn(b, 1);
  const SolveReport first = solver->solve(y, turned, parameters);
  if (!first.converged()) return std::nullopt;
  turn(y, -1);
  const SolveReport second = solver->solve(x, turned, parameters);
  if (!second.converged()) return std::nullopt;
  return first.iterations + second.iterations;
}

}  // namespace plaq

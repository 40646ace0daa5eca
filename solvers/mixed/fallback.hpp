// A chain of solvers for one system, each called only when those before left a right-hand side unsolved, and
// each beginning from the best x so far. The order is the caller's: higher inner precision, then defect
// correction, then conjugate gradients, say.
//
// Vectors: the best x, beside those of the solver at work (a solver is made when its turn comes, and goes
// when it has had it). It tries each one once: so it ends when they do.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "solvers/krylov/batch.hpp"
#include "solvers/solver.hpp"

namespace plaq {

struct FallbackStep {
  std::string description;  // for the report
  std::function<std::unique_ptr<Solver>()> make;
};

// Treatment of a right-hand side that has used up its iterations: the next solver has as many for it, or only
// if the residual has not fallen by a decade, as with a method that fails; one that came nearer is
// given up.
enum class AfterLimit { goes_on, goes_on_if_lost };

class Fallback final : public Solver {
 public:
  // Every solver of the chain takes x and b as `outer` has them.
  Fallback(LinearOperator& outer, const ProcessGrid& grid, int batch, std::vector<FallbackStep> steps,
           AfterLimit after_limit = AfterLimit::goes_on);
  std::string_view name() const override { return "fallback"; }
  // parameters.max_iterations is for each solver; results add up iterations, updates and restarts.
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  // Leaves those out that are given up; false: nobody is left.
  bool goes_on(SolverParameters& parameters, const SolveReport& total) const;
  // Keeps x where it is better than the best one, and puts the best one back where it is not.
  void keep_best(Field& x, const SolveReport& now, SolveReport& total);
  std::vector<FallbackStep> steps_;
  AfterLimit after_limit_;
  Batch batch_;
  Field best_;
};

}  // namespace plaq

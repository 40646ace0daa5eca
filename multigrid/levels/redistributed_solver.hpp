// A coarse solver whose level is elsewhere: on fewer ranks, at another location, or both.
#pragma once

#include <memory>

#include "multigrid/cycle/coarse_solver.hpp"
#include "multigrid/levels/agglomeration.hpp"

namespace plaq {

class RedistributedSolver final : public CoarseSolver {
 public:
  // Collective. `vectors`: of b and e, with their batch and location, on the lattice as it is on all ranks;
  // `queue` works on them. `there`: of the level, which is at its location. `solver`: on the lattice of
  // `few`; null on ranks that have no part of it.
  RedistributedSolver(std::shared_ptr<const Agglomeration> few, const FieldSpec& vectors, const Queue& queue,
                      std::unique_ptr<CoarseSolver> solver, const Queue& there);

  // Right-hand sides that are not active are neither moved nor written. An Error of the solver reaches every
  // rank.
  void solve(Field& e, const Field& b, const ActiveSet& active) override;
  // Another vector of that kind, which the solver knows of the last solve, back to where e is. `there` is
  // null on ranks that have no part. Collective.
  void bring_back(Field& here, const Field* there, const ActiveSet& active);
  // Equal on every rank, also on those that have no part: work is that of all, divided equally.
  int iterations() const override { return known_.iterations; }
  Work work(int batch) const override;

 private:
  // Numbers of the solver that every rank knows.
  struct Known {
    int iterations = 0;
    Work of_one, of_all;  // of one right-hand side and of all of them
  };
  Known asked() const { return {solver_->iterations(), solver_->work(1), solver_->work(batch_)}; }

  std::shared_ptr<const Agglomeration> few_;
  int batch_;
  Queue queue_, there_;
  std::unique_ptr<CoarseSolver> solver_;
  Redistribution moves_;
  Field b_, e_;  // where the level is; empty elsewhere
  Known known_;
};

}  // namespace plaq

// A coarse solver whose level is elsewhere: on fewer ranks, at another location, or both.
#pragma once

#include <memory>

#include "multigrid/cycle/coarse_solver.hpp"
#include "multigrid/levels/agglomeration.hpp"

namespace plaq {

class MovedSolver final : public CoarseSolver {
 public:
  // Collective. `vectors`: of b and e, with their batch and location, on the lattice as it is on all ranks; `queue` works
  // on them. `there`: of the level, which is at its location. `solver`: on the lattice of `few`; null on ranks that have
  // no part of it.
  MovedSolver(std::shared_ptr<const Agglomeration> few, const FieldSpec& vectors, const Queue& queue,
              std::unique_ptr<CoarseSolver> solver, const Queue& there);

  // What is not active is neither moved nor written. An Error of the solver reaches every rank.
  void solve(Field& e, const Field& b, const ActiveSet& active) override;
  int iterations() const override { return iterations_; }  // on every rank

 private:
  std::shared_ptr<const Agglomeration> few_;
  Queue queue_, there_;
  std::unique_ptr<CoarseSolver> solver_;
  Redistribution moves_;
  Field b_, e_;  // where the level is; empty elsewhere
  int iterations_ = 0;
};

}  // namespace plaq

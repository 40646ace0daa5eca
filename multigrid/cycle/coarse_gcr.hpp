// The solve of a coarse system within a cycle: GCR on its even-odd form, a few iterations to a loose
// tolerance, preconditioned by the cycle of the levels below where there are any (the K-cycle
// of Clark et al. 2016, section 3.4).
#pragma once

#include <memory>

#include "core/operator/schur_operator.hpp"
#include "multigrid/cycle/coarse_solver.hpp"
#include "multigrid/settings.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {

class CoarseGcr final : public CoarseSolver {
 public:
  // `preconditioner`: an approximate inverse of `reduced`, or null. Collective.
  CoarseGcr(const ProcessGrid& grid, std::unique_ptr<SchurOperator> reduced,
            std::unique_ptr<LinearOperator> preconditioner, int batch, const CoarseSolveSettings& settings);

  void solve(Field& e, const Field& b, const ActiveSet& active) override;
  int iterations() const override { return iterations_; }
  Work work(int batch) const override;

 private:
  CoarseSolveSettings settings_;
  std::unique_ptr<SchurOperator> reduced_;
  std::unique_ptr<LinearOperator> preconditioner_;
  KrylovSolver gcr_;
  Field source_, solution_;
  int iterations_ = 0;
};

}  // namespace plaq

// The solve of a coarse system within a cycle by a fixed number of iterations of GCR on its even-odd form,
// preconditioned by the cycle of the levels below: nobody waits for norms, so
// that a whole cycle can be captured.
#pragma once

#include <memory>

#include "core/operator/schur_operator.hpp"
#include "multigrid/cycle/coarse_solver.hpp"
#include "solvers/krylov/gcr.hpp"

namespace plaq {

class FixedGcr final : public CoarseSolver {
 public:
  // `preconditioner`: an approximate inverse of `reduced`, or null. Collective.
  FixedGcr(const ProcessGrid& grid, std::unique_ptr<SchurOperator> reduced,
           std::unique_ptr<LinearOperator> preconditioner, int batch, int iterations);

  void solve(Field& e, const Field& b, const ActiveSet& active) override;
  int capturable(int batch) override;
  int iterations() const override { return iterations_; }
  Work work(int batch) const override;

 private:
  int iterations_;
  std::unique_ptr<SchurOperator> reduced_;
  std::unique_ptr<LinearOperator> preconditioner_;
  Batch batch_;
  Gcr gcr_;
  Field r_, solution_;
};

}  // namespace plaq

// One multigrid cycle on a reduced operator S of a lattice, as an approximate inverse for flexible methods
// (Clark et al. 2016, section 3.4):
//   e = M_c^-1 R T r,   x = P e,   r <- r - S x,   x <- x + smooth(r)
// T r is the residual of M that a residual r of S is (SchurOperator::full_residual). R takes it where it is
// not 0, on the parity of S alone or on both, and P gives that parity alone: S^-1 is that part of M^-1, times
// T.
#pragma once

#include <memory>

#include "core/operator/schur_operator.hpp"
#include "core/system/profiler.hpp"
#include "kernels/blas/blas.hpp"
#include "multigrid/cycle/coarse_solver.hpp"
#include "multigrid/transfer/transfer.hpp"
#include "solvers/preconditioner.hpp"

namespace plaq {

class Cycle final : public ResidualInverse {
 public:
  // The transfer must outlive this object; the smoother is of `s`, null: there is none. `name`: for profiles.
  Cycle(std::unique_ptr<SchurOperator> s, const Transfer& transfer, std::unique_ptr<CoarseSolver> coarse,
        std::unique_ptr<Smoother> smoother, int batch, LevelName name = {});

  const GeometryPtr& geometry() const override { return s_->geometry(); }
  FieldSpec spec(int batch) const override { return s_->spec(batch); }
  const Queue& queue() const override { return s_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override;
  // Residual at the end of smoothing; null without a smoother, or of one that does not know it.
  const Field* residual() const override { return smoother_ && smoother_->knows_residual() ? &r_ : nullptr; }
  // Iterations of the coarse solver's last solve.
  int coarse_iterations() const { return coarse_->iterations(); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void take_residual(const Field& x, const Field& b, const ActiveSet& active);

  std::unique_ptr<SchurOperator> s_;
  const Transfer& transfer_;
  std::unique_ptr<CoarseSolver> coarse_;
  std::unique_ptr<Smoother> smoother_;
  blas::Workspace workspace_;
  Buffer difference_;                       // coefficients of b - S x
  Field r_, full_r_, coarse_r_, coarse_e_;  // full_r_: where T r is on other sites than r
  LevelName name_, below_;                  // of this lattice and the coarse one
};

}  // namespace plaq

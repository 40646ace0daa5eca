// One multigrid cycle of two levels on an even-odd operator S of the fine lattice, as an approximate inverse for flexible
// methods (Clark et al. 2016, section 3.4):
//   e = M_c^-1 R r,   x = P e,   r <- r - S x,   x <- x + smooth(r)
// S^-1 is the part of M^-1 on the parity of S where S is the asymmetric complement, or M has no diagonal but a number: R
// takes the residual on that parity alone, and P gives that part alone.
#pragma once

#include "kernels/blas/blas.hpp"
#include "multigrid/cycle/coarse_solver.hpp"
#include "multigrid/transfer/transfer.hpp"
#include "solvers/smoother.hpp"

namespace plaq {

class Cycle final : public LinearOperator {
 public:
  // All must outlive this object. `scale`: S^-1 = scale x (the part of M^-1), the diagonal of M where S is divided by it.
  Cycle(LinearOperator& s, const Transfer& transfer, CoarseSolver& coarse, Smoother& smoother, int batch,
        double scale = 1);

  const GeometryPtr& geometry() const override { return s_.geometry(); }
  FieldSpec spec(int batch) const override { return s_.spec(batch); }
  const Queue& queue() const override { return s_.queue(); }
  Work work(int batch) const override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  LinearOperator& s_;
  const Transfer& transfer_;
  CoarseSolver& coarse_;
  Smoother& smoother_;
  double scale_;
  blas::Workspace workspace_;
  Field r_, coarse_r_, coarse_e_;
};

}  // namespace plaq

// The exact solve of the coarsest system, by the inverse of its even-odd form. It knows no iterations and no
// tolerance, and asks no other rank.
#pragma once

#include "multigrid/bottom/operator_inverse.hpp"
#include "multigrid/cycle/coarse_solver.hpp"

namespace plaq {

class DenseInverse final : public CoarseSolver {
 public:
  // `inverse`: of `reduced`, for batches of `batch`; solvers for other batches may share it.
  DenseInverse(std::unique_ptr<SchurOperator> reduced, std::shared_ptr<const OperatorInverse> inverse,
               int batch);

  void solve(Field& e, const Field& b, const ActiveSet& active) override;
  int capturable(int batch) override { return reduced_->capturable(batch); }
  Work work(int batch) const override;

  // The largest |S S^-1 b - b| / |b| for noise b: what rounding makes of the inverse. Waits.
  double error();

 private:
  void make_noise();
  void multiply(Field& out, const Field& in, const ActiveSet& active);

  std::unique_ptr<SchurOperator> reduced_;
  std::shared_ptr<const OperatorInverse> inverse_;
  Buffer packed_;
  Field source_, solution_;
};

}  // namespace plaq

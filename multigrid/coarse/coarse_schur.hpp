// The even-odd form of a coarse operator M = X + Y: with H = X^-1 Y, on the sites of one parity p,
//   S = 1 - H_pq H_qp,   S x_p = X_p^-1 b_p - H_pq X_q^-1 b_q,   x_q = X_q^-1 b_q - H_qp x_p
// for M x = b. A residual r of this system is the residual X_p r of M x = b on parity p, and 0 on the other.
#pragma once

#include "core/operator/schur_operator.hpp"
#include "multigrid/coarse/coarse_operator.hpp"

namespace plaq {

class CoarseSchur final : public SchurOperator {
 public:
  // `hat`: operators of the hops and of the inverse that coarse_hat() makes, on a lattice with a
  // checkerboard; `full`: M, or its sites alone, for the adjoint and for residuals. `has_adjoint`: Gamma5 M
  // Gamma5 = M^dagger, else it must not be applied.
  struct Hat {
    std::shared_ptr<CoarseOperator> hops, inverse;
  };
  CoarseSchur(std::shared_ptr<CoarseOperator> full, Hat hat, int parity, int batch, bool has_adjoint = true);

  const GeometryPtr& geometry() const override { return hat_.hops->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hat_.hops->queue(); }
  Work work(int batch) const override { return hat_.hops->work(batch); }
  int capturable(int batch) override { return hat_.hops->capturable(batch); }

  int parity() const override { return parity_; }
  double residual_scale() const override { return 1; }
  bool residual_scale_is_exact() const override { return false; }  // X differs from site to site
  void full_residual(Field& out, const Field& r, const ActiveSet& active) override;
  void reduce_source(Field& reduced, const Field& full) override;
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void apply_schur(Field& out, const Field& in, bool gamma5, const ActiveSet& active);

  std::shared_ptr<CoarseOperator> full_;
  Hat hat_;
  int parity_;
  bool has_adjoint_;
  Field other_;  // of the other parity
  Field here_;
};

}  // namespace plaq

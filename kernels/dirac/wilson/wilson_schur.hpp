// The even-odd Schur complements of the Wilson and clover operators, Clark et al. 2010, eq. (2).
#pragma once

#include "core/operator/schur_operator.hpp"
#include "kernels/dirac/wilson/wilson.hpp"

namespace plaq {

// S on the sites of parity p, q being the other one, C the diagonal of M (a number d, or with a clover term
// chiral blocks):
//   symmetric  S = 1 - C_p^-1 D_pq C_q^-1 D_qp / 4
//   asymmetric S = C_p - D_pq C_q^-1 D_qp / 4
class WilsonSchur final : public SchurOperator {
 public:
  enum class Form { symmetric, asymmetric };
  // `clover`: for this form and parity; must be there if the parameters have a clover term. A hopping term of
  // eight reals has to be rotated on the other parity.
  WilsonSchur(WilsonHoppingPtr hopping, int parity, Form form, int batch, CloverBlocksPtr clover = nullptr);

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch).capturable(); }

  int parity() const override { return parity_; }
  // Exact, but for the symmetric form with clover: there d, which C_p is near.
  double residual_scale() const override;
  bool residual_scale_is_exact() const override { return form_ == Form::asymmetric || clover_ == nullptr; }
  bool residual_is_full() const override { return form_ == Form::asymmetric; }
  void reduce_source(Field& reduced, const Field& full) override;
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  // To and from the gauge of the stored links on parity q.
  void to_stored(Field& out, const Field& in, const ActiveSet& active);
  void from_stored(Field& out, const Field& in, const ActiveSet& active);

  WilsonHoppingPtr hopping_;
  int parity_;
  Form form_;
  CloverBlocksPtr clover_;
  Field other_;  // workspace on q, in the gauge of the stored links
  Field here_;   // workspace on p: for the dagger of the symmetric form with clover, made when first needed
};

}  // namespace plaq

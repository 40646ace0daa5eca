// The even-odd complement of the staggered operators, Hermitian and positive for m != 0.
#pragma once

#include "core/operator/schur_operator.hpp"
#include "kernels/dirac/staggered/staggered.hpp"

namespace plaq {

// On the sites of parity p, q being the other one:  S = m^2 - D_pq D_qp / 4.
//   M x = b  <=>  S x_p = m b_p - D_pq b_q / 2,  x_q = (b_q - D_qp x_p / 2) / m.
// Another mass adds a number to S: m'^2 - m^2.
class StaggeredSchur final : public SchurOperator {
 public:
  // A hopping term of eight reals has to be rotated on the other parity. Throws Error(job_file) where the
  // mass is 0, which has no complement.
  StaggeredSchur(StaggeredHoppingPtr hopping, int parity, int batch);

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch).capturable(); }

  int parity() const override { return parity_; }
  double residual_scale() const override;
  void reduce_source(Field& reduced, const Field& full) override;
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  StaggeredHoppingPtr hopping_;
  int parity_;
  double mass_;
  Field other_;  // workspace on q, in the gauge of the stored links
};

}  // namespace plaq

// The even-odd form of the domain-wall operator, Chiu et al. 2010, section 2.2.
#pragma once

#include "core/operator/schur_operator.hpp"
#include "kernels/dirac/domain_wall/domain_wall.hpp"

namespace plaq {

// C on the sites of parity p, eq. (2.11), q being the other one, D_w^pq the hopping term times -1/2:
//   C = 1 - M5 D_w^pq M5 D_w^qp,   M5 = omega^-1/2 Y X^-1 omega^1/2,
// and C x'_p = b'_p - M5 D_w^pq b'_q with b' = S1 b, x = S2 x' (eqs. (2.9), (2.10)):
//   S1 = omega^-1/2 Y X^-1,   S2 = Y^-1 omega^1/2.
class DomainWallSchur final : public SchurOperator {
 public:
  // Throws Error(job_file) where the parameters are wrong or have no even-odd form. A hopping term of eight
  // reals has to be rotated on the other parity.
  DomainWallSchur(WilsonHoppingPtr hopping, const DomainWallParameters& parameters, int parity, int batch);

  const DomainWallParameters& parameters() const { return parameters_; }
  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch * Ls()).capturable(); }

  int parity() const override { return parity_; }
  // ||S1^-1 r|| / ||r|| for an r without preferred direction in the fifth dimension.
  double residual_scale() const override { return residual_scale_; }
  bool residual_scale_is_exact() const override { return false; }
  void reduce_source(Field& reduced, const Field& full) override;
  void reduce_guess(Field& reduced, const Field& full) override;  // x' = S2^-1 x
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

  // Vectors on all sites with Y^dagger dC X = Y_full^dagger dD_w X_full on each slice, as forces want them:
  //   X_full = (X, M5 hop X / 2),   Y_full = (M5^dagger Y, M5^dagger hop^dagger M5^dagger Y / 2)
  // on (p, q). Fields are those of a batch. Collective.
  void complete(Field& full, const Field& x);
  void complete_adjoint(Field& full, const Field& y);

 private:
  int Ls() const { return parameters_.Ls(); }
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  // out = a add + b M5 hop in with links as they are stored; of the dagger M5^dagger hop^dagger. One launch
  // on a host, two on a device, with the same bits. `out` is no other field.
  void hop_fifth(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active, double a = 0,
                 const Field* add = nullptr, double b = 1);

  WilsonHoppingPtr hopping_;
  DomainWallParameters parameters_;
  int parity_;
  FifthTable m5_[2], s1_, s2_, s2_inverse_;
  double residual_scale_ = 1;
  Field other_;  // workspace on q
};

}  // namespace plaq

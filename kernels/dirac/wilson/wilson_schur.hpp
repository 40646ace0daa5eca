// The even-odd Schur complements of the Wilson and clover operators, Clark et al. 2010, eq. (2).
#pragma once

#include "core/operator/schur_operator.hpp"
#include "kernels/dirac/wilson/wilson.hpp"

namespace plaq {

// S on the sites of parity p, q being the other one, C the diagonal of M (a number d, or with a clover term
// chiral blocks; with a twisted mass mu that and i mu gamma5):
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
  // Captured graphs have the twists that they were captured with.
  int capturable(int batch) override;

  // S of the flavour 1 or -1 of the doublet, whose twisted mass is that many times mu, and i nu gamma5 more:
  // the Schur complement of quarks with the twist flavour mu + nu on parity p and flavour mu on q. For the
  // asymmetric form with a twisted mass.
  void set_twist(double nu, int flavour = 1);

  int parity() const override { return parity_; }
  // Exact, but for the symmetric form with clover: there |d + i mu|, which C_p is near.
  double residual_scale() const override;
  bool residual_scale_is_exact() const override { return form_ == Form::asymmetric || clover_ == nullptr; }
  bool residual_is_full() const override { return form_ == Form::asymmetric; }
  void reduce_source(Field& reduced, const Field& full) override;
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  bool twisted() const { return hopping_->parameters().twisted_mass != 0; }
  SiteDiagonal inverse(int parity) const {
    auto diagonal = inverse_site_diagonal(hopping_->parameters(), clover_.get(), parity);
    diagonal.b *= flavour_;
    return diagonal;
  }
  SiteDiagonal diagonal_here() const {
    auto diagonal = site_diagonal(hopping_->parameters(), clover_.get());
    diagonal.b = flavour_ * diagonal.b + ladder_twist_;
    return diagonal;
  }
  void run_twisted(Field& out, const Field& in, bool dagger, const ActiveSet& active);
  // C^-1 at the sites of a parity, with a clover term or a twist.
  void apply_inverse(Field& out, const Field& in, int parity, const ActiveSet& active);
  // To and from the gauge of the stored links on parity q.
  void to_stored(Field& out, const Field& in, const ActiveSet& active);
  void from_stored(Field& out, const Field& in, const ActiveSet& active);

  WilsonHoppingPtr hopping_;
  int parity_;
  Form form_;
  CloverBlocksPtr clover_;
  double ladder_twist_ = 0;
  int flavour_ = 1;
  Field other_;  // workspace on q, in the gauge of the stored links
  // Workspace on p: for the dagger of the symmetric form with clover or a twist, made when first needed.
  Field here_;
};

}  // namespace plaq

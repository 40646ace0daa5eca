// The product of D with the adjoint of its Pauli-Villars operator, D(1), which multigrid coarsens: its
// spectrum lies to the right of 0, where that of D lies around it (Brower et al., arXiv:2004.07732). In the
// variables of the even-odd form (kernels/dirac/domain_wall/domain_wall_schur.hpp),
//   D' = S1 D S2 = 1 - M5 hop / 2,   A = D'(1)^dagger D'(m),
// which is 1 on the diagonal of sites, so that the Schur complement of D' is C.
#pragma once

#include <vector>

#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"

namespace plaq {

// Parameters of the Pauli-Villars operator.
DomainWallParameters pauli_villars_of(DomainWallParameters parameters);

// A on the full lattice, with hops to neighbours and from these to theirs. No adjoint.
class PauliVillarsProduct final : public StencilOperator {
 public:
  // Throws as DomainWallSchur does, for both factors.
  PauliVillarsProduct(WilsonHoppingPtr hopping, const DomainWallParameters& parameters);

  const GeometryPtr& geometry() const override { return hopping_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return hopping_->queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return hopping_->halo(batch * Ls()).capturable(); }
  const std::vector<Offset>& offsets() const override;
  void apply_part(Field& out, const Field& in, int part, const ActiveSet& active) override;
  int chiralities() const override { return 1; }

 private:
  int Ls() const { return parameters_.Ls(); }
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void make_workspace(int batch);
  // out = before + (D' - 1) in, or (D'(1)^dagger - 1) in, all hops or a directed one; null: 0.
  void add_hop(Field& out, const Field* before, const Field& in, int hop, const ActiveSet& active);
  void add_heavy_hop(Field& out, const Field* before, const Field& in, int hop, const ActiveSet& active);

  WilsonHoppingPtr hopping_;
  DomainWallParameters parameters_;
  FifthTable m5_, heavy_;  // M5, M5(1)^dagger
  Field hopped_, between_;
};

// C with residuals of A: T r = D'(1)^dagger r, on both parities. Sources of A x = b are nobody's.
class PauliVillarsSchur final : public SchurOperator {
 public:
  // Throws as DomainWallSchur does.
  PauliVillarsSchur(WilsonHoppingPtr hopping, const DomainWallParameters& parameters, int parity, int batch);

  const GeometryPtr& geometry() const override { return schur_.geometry(); }
  FieldSpec spec(int batch) const override { return schur_.spec(batch); }
  const Queue& queue() const override { return schur_.queue(); }
  Work work(int batch) const override { return schur_.work(batch); }
  int capturable(int batch) override { return schur_.capturable(batch); }

  int parity() const override { return schur_.parity(); }
  double residual_scale() const override { return 1; }
  bool residual_scale_is_exact() const override { return false; }
  Subset residual_sites() const override { return Subset::full; }
  void full_residual(Field& out, const Field& r, const ActiveSet& active) override;
  void reduce_source(Field& reduced, const Field& full) override;
  // x of A x = 0.
  void reconstruct(Field& full, const Field& solution, const Field& full_source) override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  WilsonHoppingPtr hopping_;
  DomainWallSchur schur_;
  FifthTable heavy_;
  Field here_;  // workspace on the parity
};

}  // namespace plaq
